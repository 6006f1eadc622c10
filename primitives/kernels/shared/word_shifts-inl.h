// Words shifted by bits, each with what comes from its neighbour. Included once a target.
#if defined(GRIDDLE_WORD_SHIFTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_WORD_SHIFTS_INL_H
#undef GRIDDLE_WORD_SHIFTS_INL_H
#else
#define GRIDDLE_WORD_SHIFTS_INL_H
#endif

#include "hwy/highway.h"

#undef GRIDDLE_MOVES_512
#define GRIDDLE_MOVES_512 (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

#if GRIDDLE_MOVES_512
HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::Full512<std::uint64_t>;

// Gives words of which each lies `shift` bits above one of `low`, whose last one is followed by the first one of `next`.
HWY_INLINE hn::Vec<Words> shifted_down(hn::Vec<Words> low, hn::Vec<Words> next, int shift) {
  const hn::Vec<Words> above{_mm512_alignr_epi64(next.raw, low.raw, 1)};
  return hn::Or(hn::ShiftRightSame(low, shift), hn::ShiftLeftSame(above, 64 - shift));
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
