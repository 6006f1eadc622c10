// Extremes of columns, of rows read from end to end. Included once per target.
#if defined(GRIDDLE_KERNELS_COLUMNS_IN_ORDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_COLUMNS_IN_ORDER_INL_H_
#undef GRIDDLE_KERNELS_COLUMNS_IN_ORDER_INL_H_
#else
#define GRIDDLE_KERNELS_COLUMNS_IN_ORDER_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/shared/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Folds rows by vectors that follow each other, so that memory is read in order: after `period` of them columns lie in vectors as
// before.
template <class Op, std::size_t period, class T>
void fold_in_order(T* out, const T* x, std::size_t rows, std::size_t columns) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t most_lanes = hn::MaxLanes(decltype(d)());
  const std::size_t lanes = hn::Lanes(d), n = rows * columns, step = period * lanes;
  V best[period];
  HWY_UNROLL(8) for (std::size_t k = 0; k < period; k++) best[k] = begun<Op>(d, hn::LoadU(d, x + k * lanes));
  std::size_t i = step;
  for (; i + step <= n; i += step)
    HWY_UNROLL(8) for (std::size_t k = 0; k < period; k++) best[k] = Op::of(hn::LoadU(d, x + i + k * lanes), best[k]);
  HWY_ALIGN T folded[(period + 1) * most_lanes];
  HWY_UNROLL(8) for (std::size_t k = 0; k < period; k++) hn::Store(best[k], d, folded + k * lanes);
  const auto onto = [d](T* to, const T* from) HWY_ATTR { hn::StoreU(Op::of(hn::LoadU(d, from), hn::LoadU(d, to)), d, to); };
  T* to = folded;
  for (; i + lanes <= n; i += lanes, to += lanes) onto(to, x + i);
  if (i < n) {
    // The rest of the vector is folded with itself.
    HWY_ALIGN T last[most_lanes];
    hn::Store(hn::Load(d, to), d, last);
    std::memcpy(last, x + i, (n - i) * sizeof(T));
    onto(to, last);
  }
  // Rows are read from where the vectors were stored: what is stored in between would have to be waited for.
  HWY_ALIGN T row[(period + 1) * most_lanes];
  for (std::size_t j = 0; j < columns; j += lanes) {
    V so_far = hn::LoadU(d, folded + j);
    for (std::size_t at = columns; at < step; at += columns) so_far = Op::of(hn::LoadU(d, folded + at + j), so_far);
    hn::Store(so_far, d, row + j);
  }
  copy_few(out, row, columns * sizeof(T));
}

// Folds columns so where few vectors make whole rows; false where they do not.
template <class Op, class T>
bool extremes_in_order(T* out, const T* x, std::size_t rows, std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>()), period = vectors_of_whole_rows(columns, lanes);
  // So many vectors that they do not wait for each other.
  const std::size_t vectors = period == 3 ? 6 : period < 3 ? 4 : period;
  if (vectors * lanes > rows * columns) return false;
  switch (vectors) {
    case 4: fold_in_order<Op, 4>(out, x, rows, columns); return true;
    case 5: fold_in_order<Op, 5>(out, x, rows, columns); return true;
    case 6: fold_in_order<Op, 6>(out, x, rows, columns); return true;
    case 7: fold_in_order<Op, 7>(out, x, rows, columns); return true;
    case 8: fold_in_order<Op, 8>(out, x, rows, columns); return true;
    default: return false;
  }
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
