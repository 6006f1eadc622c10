// Masks to bits. Included once per target.
#if defined(GRIDDLE_KERNELS_BITS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_BITS_INL_H_
#undef GRIDDLE_KERNELS_BITS_INL_H_
#else
#define GRIDDLE_KERNELS_BITS_INL_H_
#endif

#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Gives lane i of a mask as bit i; the bits above are 0.
template <class D, class M>
HWY_INLINE std::uint64_t bits_of_mask(D d, M mask) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  (void)d;
  return static_cast<std::uint64_t>(mask.raw);
#elif HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
  (void)d;
  return hn::detail::BitsFromMask(mask);
#else
  std::uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
#endif
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
