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
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/shared/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Keeps extremes of columns for vectors that follow each other: after `period` of them columns lie in vectors as before, so that
// memory is read in order.
template <class T, class Op>
struct IntegersInOrder {
  using D = hn::ScalableTag<T>;
  template <std::size_t period>
  HWY_INLINE void onto(hn::Vec<D>* best, const T* x, std::size_t) {
    const D d;
    HWY_UNROLL(8) for (std::size_t k = 0; k < period; k++) best[k] = Op::of(hn::LoadU(d, x + k * hn::Lanes(d)), best[k]);
  }
  HWY_INLINE bool are_numbers() const { return true; }
};
// As if there were no NaN, which is seen by a sum of products of neighbours: one instruction takes two vectors.
template <bool greatest>
class DoublesInOrder {
 public:
  using D = hn::ScalableTag<double>;
  DoublesInOrder() {
    for (auto& each : watched_)
      for (auto& sum : each) sum = hn::Zero(D());
  }
  // Sums that are watched in turn do not wait for each other.
  template <std::size_t period>
  HWY_INLINE void onto(hn::Vec<D>* best, const double* x, std::size_t turn) {
    const D d;
    auto v = kept(hn::LoadU(d, x));
    HWY_UNROLL(8) for (std::size_t k = 0; k < period; k++) {
      const auto next = k + 1 < period ? kept(hn::LoadU(d, x + (k + 1) * hn::Lanes(d))) : v;
      best[k] = greatest ? hn::Max(best[k], v) : hn::Min(best[k], v);
      // The last of an odd number is its own neighbour.
      if (k % 2 == 0) watched_[turn][k / 2 % 3] = hn::MulAdd(v, next, watched_[turn][k / 2 % 3]);
      v = next;
    }
  }
  HWY_INLINE bool are_numbers() const {
    const D d;
    auto sum = hn::Zero(d);
    for (const auto& each : watched_)
      for (const auto& watched : each) sum = hn::Add(sum, watched);
    return hn::AllTrue(d, hn::Eq(sum, sum));
  }

 private:
  hn::Vec<D> watched_[2][3];
};

// Folds rows so; false where there may be a NaN.
template <class InOrder, class Op, std::size_t period, class T>
bool fold_in_order(T* out, const T* x, std::size_t rows, std::size_t columns) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t most_lanes = hn::MaxLanes(decltype(d)());
  const std::size_t lanes = hn::Lanes(d), n = rows * columns, step = period * lanes;
  InOrder in_order;
  V best[period];
  HWY_UNROLL(8) for (std::size_t k = 0; k < period; k++) best[k] = hn::LoadU(d, x + k * lanes);
  std::size_t i = 0;
  for (; i + 2 * step <= n; i += 2 * step) {
    in_order.template onto<period>(best, x + i, 0);
    in_order.template onto<period>(best, x + i + step, 1);
  }
  for (; i + step <= n; i += step) in_order.template onto<period>(best, x + i, 0);
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
  if constexpr (!std::is_integral_v<T>)
    for (std::size_t j = i; j < n; j++)
      if (x[j] != x[j]) return false;
  return in_order.are_numbers();
}

// Folds columns so where few vectors make whole rows; false where they do not, or where there may be a NaN.
template <class InOrder, class Op, class T>
bool extremes_in_order(T* out, const T* x, std::size_t rows, std::size_t columns) {
  const std::size_t lanes = hn::Lanes(hn::ScalableTag<T>()), period = vectors_of_whole_rows(columns, lanes);
  // So many vectors that they do not wait for each other.
  const std::size_t vectors = period == 3 ? 6 : period < 3 ? 4 : period;
  if (vectors * lanes > rows * columns) return false;
  switch (vectors) {
    case 4: return fold_in_order<InOrder, Op, 4>(out, x, rows, columns);
    case 5: return fold_in_order<InOrder, Op, 5>(out, x, rows, columns);
    case 6: return fold_in_order<InOrder, Op, 6>(out, x, rows, columns);
    case 7: return fold_in_order<InOrder, Op, 7>(out, x, rows, columns);
    case 8: return fold_in_order<InOrder, Op, 8>(out, x, rows, columns);
    default: return false;
  }
}

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
