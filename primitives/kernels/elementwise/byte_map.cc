#include "primitives/kernels/elementwise/byte_map.h"

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/elementwise/tested-inl.h"
#include "primitives/kernels/shared/byte_table-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

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
  static constexpr ByteMaps maps = {map_to_bits, map_to_bytes, map_to_pairs, false};
  return &maps;
}
#else
ByteSteps steps_at(const std::uint8_t* at) {
  ByteSteps steps;
  std::memcpy(&steps, at, sizeof steps);
  return steps;
}

// The first `count` steps, in registers while there are few.
template <std::size_t count>
struct Steps {
  using D = hn::ScalableTag<std::int8_t>;
  using V = hn::Vec<D>;
  V until[count], added[count], keep, first;

  HWY_INLINE explicit Steps(const ByteSteps& s) {
    const auto all = [](std::uint8_t byte) { return hn::Set(D(), static_cast<std::int8_t>(byte)); };
    for (std::size_t k = 0; k < count; k++) until[k] = all(s.until[k]), added[k] = all(s.added[k]);
    keep = all(s.keep), first = all(s.first);
  }
  HWY_INLINE hn::Mask<D> mask_of(V v) const {
    V changed = first;
    for (std::size_t k = 0; k < count; k++) changed = hn::Xor(changed, hn::VecFromMask(D(), hn::Gt(v, until[k])));
    return hn::MaskFromVec(changed);
  }
  HWY_INLINE V byte_of(V v) const {
    V sum = hn::Add(first, hn::And(keep, v));
    for (std::size_t k = 0; k < count; k++) sum = hn::Add(sum, hn::IfThenElseZero(hn::Gt(v, until[k]), added[k]));
    return sum;
  }
};

template <std::size_t count>
struct SteppedSource {
  using V = typename Steps<count>::V;
  const std::int8_t* x;
  Steps<count> steps;

  HWY_INLINE SteppedSource(const std::int8_t* bytes, const std::uint8_t* table) : x(bytes), steps(steps_at(table)) {}
  HWY_INLINE V at(std::size_t i, V&) const { return steps.byte_of(hn::LoadU(hn::ScalableTag<std::int8_t>(), x + i)); }
  HWY_INLINE V few(std::size_t n, V&) const { return steps.byte_of(load_few<Lanes<std::int8_t> >(x, n)); }
};

template <std::size_t count>
struct ToBits {
  static void map(void* out, const std::int8_t* x, const std::uint8_t* table, std::size_t n) {
    test_elements(static_cast<std::uint64_t*>(out), x, Steps<count>(steps_at(table)), n);
  }
};
template <std::size_t count>
struct ToBytes {
  static void map(void* out, const std::int8_t* x, const std::uint8_t* table, std::size_t n) {
    each_vector<Lanes<std::int8_t>, false, SteppedSource<count> >(static_cast<std::int8_t*>(out), n, x, table);
  }
};
template <template <std::size_t> class To>
void map_by_steps(void* out, const void* bytes, const std::uint8_t* table, std::size_t n) {
  const std::int8_t* const x = static_cast<const std::int8_t*>(bytes);
  const std::size_t count = steps_at(table).count;
  if (count <= 2) return To<2>::map(out, x, table, n);
  if (count <= 4) return To<4>::map(out, x, table, n);
  To<ByteSteps::most>::map(out, x, table, n);
}

const ByteMaps* byte_map_kernels() {
  static constexpr ByteMaps maps = {map_by_steps<ToBits>, map_by_steps<ToBytes>, nullptr, true};
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

bool ByteSteps::find(const std::uint8_t* table, bool to_bits, std::size_t at_most) {
  constexpr std::uint8_t least = 0x80, greatest = 0x7F;
  for (const std::uint8_t kept : {std::uint8_t{0}, std::uint8_t{0xFF}}) {
    if (to_bits && kept != 0) break;
    const auto rest = [&](std::uint8_t byte) {
      const std::uint8_t result = to_bits ? (table[byte] >= least ? 0xFF : 0) : table[byte];
      return static_cast<std::uint8_t>(result - (byte & kept));
    };
    *this = {kept, rest(least), 0, {}, {}};
    std::fill(std::begin(until), std::end(until), greatest);
    bool fits = true;
    for (std::uint8_t byte = least; byte != greatest && fits; byte++) {
      const std::uint8_t change = static_cast<std::uint8_t>(rest(static_cast<std::uint8_t>(byte + 1)) - rest(byte));
      if (change == 0) continue;
      fits = count < std::min(at_most, most);
      if (fits) until[count] = byte, added[count] = change, count++;
    }
    if (fits) return true;
  }
  return false;
}
}  // namespace griddle::kernels
#endif
