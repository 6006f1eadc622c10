#include "primitives/kernels/elementwise/byte_map.h"

#include "hwy/highway.h"
#include "primitives/kernels/shared/byte_table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace byte_map_unit {
namespace {

#if HWY_TARGET == HWY_AVX3_DL
using std::uint64_t, std::uint8_t;
constexpr std::size_t lanes = 64;

uint64_t first(std::size_t n) { return n < lanes ? (uint64_t{1} << n) - 1 : ~uint64_t{0}; }
// Calls `store(i, bytes, n)` for vectors of n bytes, all of `lanes` but the last.
template <class Store>
HWY_INLINE void each_vector(const uint8_t* x, std::size_t n, Store store) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(i, _mm512_loadu_si512(x + i), lanes);
  if (i != n) store(i, _mm512_maskz_loadu_epi8(first(n - i), x + i), n - i);
}

void map_to_bits(void* out, const void* x, const uint8_t* table_bytes, std::size_t n) {
  uint64_t* const words = static_cast<uint64_t*>(out);
  const ByteTable table(table_bytes);
  each_vector(static_cast<const uint8_t*>(x), n,
              [&](std::size_t i, __m512i v, std::size_t) HWY_ATTR { words[i / lanes] = _mm512_movepi8_mask(table[v]); });
}

void map_to_bytes(void* out, const void* x, const uint8_t* table_bytes, std::size_t n) {
  uint8_t* const bytes = static_cast<uint8_t*>(out);
  const ByteTable table(table_bytes);
  each_vector(static_cast<const uint8_t*>(x), n, [&](std::size_t i, __m512i v, std::size_t count) HWY_ATTR {
    _mm512_mask_storeu_epi8(bytes + i, first(count), table[v]);
  });
}

void map_to_pairs(void* out, const void* x, const uint8_t* table_bytes, std::size_t n) {
  uint8_t* const bytes = static_cast<uint8_t*>(out);
  const ByteTable lower(table_bytes), higher(table_bytes + 256);
  // Halves of blocks, in which lower and higher bytes are interleaved, come from both halves of the vector.
  const __m512i places = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
  each_vector(static_cast<const uint8_t*>(x), n, [&](std::size_t i, __m512i v, std::size_t count) HWY_ATTR {
    const __m512i turned = _mm512_permutexvar_epi64(places, v), low = lower[turned], high = higher[turned];
    const uint64_t first_half = first(2 * count), second_half = count > lanes / 2 ? first(2 * count - lanes) : 0;
    _mm512_mask_storeu_epi8(bytes + 2 * i, first_half, _mm512_unpacklo_epi8(low, high));
    _mm512_mask_storeu_epi8(bytes + 2 * i + lanes, second_half, _mm512_unpackhi_epi8(low, high));
  });
}

const ByteMaps* byte_map_kernels() {
  static constexpr ByteMaps maps = {map_to_bits, map_to_bytes, map_to_pairs};
  return &maps;
}
#else
const ByteMaps* byte_map_kernels() {
  static constexpr ByteMaps maps = {nullptr, nullptr, nullptr};
  return &maps;
}
#endif

}  // namespace
}  // namespace byte_map_unit
using byte_map_unit::byte_map_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(byte_map_kernels);
const ByteMaps& byte_maps() { return *HWY_DYNAMIC_DISPATCH(byte_map_kernels)(); }
}  // namespace griddle::kernels
#endif
