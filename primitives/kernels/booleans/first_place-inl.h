// Searches packed booleans. Included once per target.
#if defined(GRIDDLE_KERNELS_FIRST_PLACE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_FIRST_PLACE_INL_H_
#undef GRIDDLE_KERNELS_FIRST_PLACE_INL_H_
#else
#define GRIDDLE_KERNELS_FIRST_PLACE_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE std::size_t words_of(std::size_t n) { return (n + 63) / 64; }

// Gives the place of the first of n ≥ 1 bits that differs from the bits of `flip`, which are all the same, or n.
HWY_INLINE std::size_t first_place(const std::uint64_t* bits, std::size_t n, std::uint64_t flip) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t lanes = hn::Lanes(d), words = words_of(n);
  const auto place_in = [&](std::size_t i) {
    return std::min(n, 64 * i + static_cast<std::size_t>(std::countr_zero(bits[i] ^ flip)));
  };
  // Most searches end in the first word, and do without vectors.
  if (bits[0] != flip) return place_in(0);
  std::size_t i = 0;
  const auto flips = hn::Set(d, flip);
  for (; i + 4 * lanes <= words; i += 4 * lanes) {
    const auto at = [&](std::size_t k) HWY_ATTR { return hn::Xor(hn::LoadU(d, bits + i + k * lanes), flips); };
    if (!hn::AllTrue(d, hn::Eq(hn::Or(hn::Or(at(0), at(1)), hn::Or(at(2), at(3))), hn::Zero(d)))) break;
  }
  for (; i + lanes <= words; i += lanes)
    if (!hn::AllTrue(d, hn::Eq(hn::LoadU(d, bits + i), flips))) break;
  for (; i < words; i++)
    if (bits[i] != flip) return place_in(i);
  return n;
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
