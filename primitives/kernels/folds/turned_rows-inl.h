// Rows of doubles, or of what becomes doubles, turned to vectors of columns. Included once per target.
#if defined(GRIDDLE_KERNELS_TURNED_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_TURNED_ROWS_INL_H_
#undef GRIDDLE_KERNELS_TURNED_ROWS_INL_H_
#else
#define GRIDDLE_KERNELS_TURNED_ROWS_INL_H_
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {

// Turns some columns of as many rows as a vector has lanes, `stride` elements apart, to vectors of columns.
template <class Memory, class Tag>
struct TurnedRows {
  using D = Tag;
  using V = hn::Vec<D>;
  static constexpr std::size_t rows = hn::MaxLanes(D()), columns = std::min<std::size_t>(rows, 4);
  static HWY_INLINE void load(const Memory* from, std::size_t stride, V* v) {
    const D d;
    if constexpr (rows <= 4) {
      for (std::size_t k = 0; k < rows; k++) v[k] = Lanes<Memory, double, D>::load(from + k * stride);
      turn(d, v);
    } else {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
      // Pairs of rows that end in neighbouring blocks of 128 bits are read to one vector.
      using In = Lanes<Memory, double, hn::Half<D>>;
      const auto pair = [=](const Memory* row) HWY_ATTR { return hn::Combine(d, In::load(row + 2 * stride), In::load(row)); };
      const Memory* const upper = from + 4 * stride;
      const V a = pair(from), b = pair(from + stride), c = pair(upper), e = pair(upper + stride);
      const V even = hn::InterleaveLower(d, a, b), odd = hn::InterleaveUpper(d, a, b);
      const V upper_even = hn::InterleaveLower(d, c, e), upper_odd = hn::InterleaveUpper(d, c, e);
      v[0] = V{_mm512_shuffle_f64x2(even.raw, upper_even.raw, 0x88)};
      v[1] = V{_mm512_shuffle_f64x2(odd.raw, upper_odd.raw, 0x88)};
      v[2] = V{_mm512_shuffle_f64x2(even.raw, upper_even.raw, 0xDD)};
      v[3] = V{_mm512_shuffle_f64x2(odd.raw, upper_odd.raw, 0xDD)};
#endif
    }
  }
};

}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
