// Strips of columns, some vectors wide, that folds and scans go down in registers. Included once per target.
#if defined(GRIDDLE_KERNELS_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_STRIPS_INL_H_
#undef GRIDDLE_KERNELS_STRIPS_INL_H_
#else
#define GRIDDLE_KERNELS_STRIPS_INL_H_
#endif

#include <cstddef>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Calls strip(number of vectors) for the next strip where `left` columns are left: as many vectors as cover them, at most 4.
template <class Strip>
HWY_INLINE auto next_strip(std::size_t lanes, std::size_t left, const Strip& strip) {
  if (left > 3 * lanes) return strip(std::integral_constant<std::size_t, 4>());
  if (left > 2 * lanes) return strip(std::integral_constant<std::size_t, 3>());
  if (left > lanes) return strip(std::integral_constant<std::size_t, 2>());
  return strip(std::integral_constant<std::size_t, 1>());
}

// The same where 5 to 8 vectors cover them.
template <class Strip>
HWY_INLINE auto wide_strip(std::size_t lanes, std::size_t left, const Strip& strip) {
  if (left > 7 * lanes) return strip(std::integral_constant<std::size_t, 8>());
  if (left > 6 * lanes) return strip(std::integral_constant<std::size_t, 7>());
  if (left > 5 * lanes) return strip(std::integral_constant<std::size_t, 6>());
  return strip(std::integral_constant<std::size_t, 5>());
}

// Calls strip(number of vectors, first column, first column of the last vector) so that strips cover all columns, at least as
// many as a vector has lanes. The last vector may begin before the end of the one before it.
template <class Strip>
HWY_INLINE void each_strip(std::size_t lanes, std::size_t columns, const Strip& strip) {
  std::size_t j = 0;
  for (; columns - j > 4 * lanes; j += 4 * lanes) strip(std::integral_constant<std::size_t, 4>(), j, j + 3 * lanes);
  next_strip(lanes, columns - j, [&](auto vectors) HWY_ATTR { strip(vectors, j, columns - lanes); });
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
