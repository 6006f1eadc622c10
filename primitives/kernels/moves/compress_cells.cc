#include "primitives/kernels/moves/replicate.h"

#include <bit>
#include <cstring>

#include "hwy/highway.h"
#include "primitives/kernels/shared/bit_runs.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace compress_cells_unit {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Copies neighbours together.
std::uint8_t* keep_runs(std::uint8_t* to, const std::uint8_t* from, std::uint64_t ones, std::size_t bytes) {
  while (ones != 0) {
    const int first = std::countr_zero(ones), count = std::countr_one(ones >> first);
    const std::size_t size = static_cast<std::size_t>(count) * bytes;
    std::memcpy(to, from + static_cast<std::size_t>(first) * bytes, size);
    to += size;
    ones = first + count == 64 ? 0 : ones >> (first + count) << (first + count);
  }
  return to;
}

// Copies one cell after the other, in whole vectors.
template <std::size_t bytes>
std::uint8_t* keep_each(std::uint8_t* to, const std::uint8_t* from, std::uint64_t ones) {
  const hn::CappedTag<std::uint8_t, bytes> d;
  for (; ones != 0; ones &= ones - 1, to += bytes) {
    const std::uint8_t* cell = from + static_cast<std::size_t>(std::countr_zero(ones)) * bytes;
    for (std::size_t k = 0; k < bytes; k += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, cell + k), d, to + k);
  }
  return to;
}

template <class Keep>
HWY_INLINE void for_words(std::uint8_t* to, const std::uint8_t* from, const std::uint64_t* mask, std::size_t n, std::size_t bytes,
                          Keep keep) {
  for (std::size_t i = 0; i < n; i += 64) {
    const std::uint64_t ones = mask[i / 64] & low_bits(n - i);
    // Long runs are copied as such.
    const bool in_runs = 4 * std::popcount(ones & ~(ones << 1)) <= std::popcount(ones);
    to = in_runs ? keep_runs(to, from + i * bytes, ones, bytes) : keep(to, from + i * bytes, ones);
  }
}

void compress_cells_any(std::size_t bytes, std::uint8_t* to, const std::uint8_t* from, const std::uint64_t* mask, std::size_t n) {
  switch (bytes) {
    case 16: return for_words(to, from, mask, n, bytes, keep_each<16>);
    case 32: return for_words(to, from, mask, n, bytes, keep_each<32>);
    case 64: return for_words(to, from, mask, n, bytes, keep_each<64>);
    default:
      for_words(to, from, mask, n, bytes, [bytes](std::uint8_t* out, const std::uint8_t* cells, std::uint64_t ones) {
        return keep_runs(out, cells, ones, bytes);
      });
  }
}

}  // namespace
}  // namespace compress_cells_unit
using compress_cells_unit::compress_cells_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {

HWY_EXPORT(compress_cells_any);

void compress_cells(std::size_t bytes, void* to, std::size_t total, const void* from, const std::uint64_t* mask, std::size_t n) {
  if (bytes <= 8 && std::has_single_bit(bytes)) return compress(8 * static_cast<unsigned>(bytes), to, total, from, mask, n);
  HWY_DYNAMIC_DISPATCH(compress_cells_any)
  (bytes, static_cast<std::uint8_t*>(to), static_cast<const std::uint8_t*>(from), mask, n);
}

}  // namespace griddle::kernels
#endif  // HWY_ONCE
