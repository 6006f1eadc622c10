// What folds and scans do with two elements, in vectors and one by one. Included once per target.
#if defined(GRIDDLE_KERNELS_FOLD_OPERATIONS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_FOLD_OPERATIONS_INL_H_
#undef GRIDDLE_KERNELS_FOLD_OPERATIONS_INL_H_
#else
#define GRIDDLE_KERNELS_FOLD_OPERATIONS_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// An operation has of_two(a, b), on elements in the order of BQN, and `start`, the double that leaves every double as it is.
// Those that fold in any order have of(a, b) on vectors and neutral<T>(), which fills lanes and may give 0 for -0; those that
// fold rows from their ends have in_order(v, so_far) on vectors.
struct Plus {
  static constexpr bool sums = true, alternates = false;
  static constexpr double start = -0.0;
  template <class T>
  static constexpr T neutral() {
    return 0;
  }
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return hn::Add(a, b);
  }
  template <class V>
  static HWY_INLINE V in_order(V v, V so_far) {
    return hn::Add(v, so_far);
  }
  template <class T>
  static T of_two(T a, T b) {
    return static_cast<T>(a + b);
  }
};
// Folds in any order as a sum of elements with alternating signs; in_order(v, so_far) is the subtraction itself.
struct Minus : Plus {
  static constexpr bool alternates = true;
  static constexpr double start = 0;
  template <class V>
  static HWY_INLINE V in_order(V v, V so_far) {
    return hn::Sub(v, so_far);
  }
  template <class T>
  static T of_two(T a, T b) {
    return static_cast<T>(a - b);
  }
};
struct Times {
  static constexpr double start = 1;
  template <class V>
  static HWY_INLINE V in_order(V v, V so_far) {
    return hn::Mul(v, so_far);
  }
  template <class T>
  static T of_two(T a, T b) {
    return static_cast<T>(a * b);
  }
};
// Gives w where it is greater (less) than x, and x elsewhere. Onto a number, a fold leaves NaNs aside.
template <bool greatest>
struct Best {
  static constexpr bool sums = false, alternates = false, leaves_nans = true;
  template <class T>
  static constexpr T neutral() {
    using L = std::numeric_limits<T>;
    if (L::has_infinity) return greatest ? -L::infinity() : L::infinity();
    return greatest ? L::lowest() : L::max();
  }
  static constexpr double start = greatest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  template <class V>
  static HWY_INLINE V of(V w, V x) {
    return extreme_of<greatest>(w, x);
  }
  template <class T>
  static T of_two(T w, T x) {
    return (greatest ? w > x : w < x) ? w : x;
  }
};
// Gives what a fold goes on from after the first elements: for extremes, a number in place of each NaN.
template <class Op, class D, class V>
HWY_INLINE V begun(D d, V v) {
  if constexpr (std::is_floating_point_v<hn::TFromD<D>> && requires { Op::leaves_nans; })
    return Op::of(v, hn::Set(d, Op::template neutral<hn::TFromD<D>>()));
  else
    return v;
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
