// Folds of columns by strips that registers hold, from the last row up. A part of reduce_columns.cc, included once per target.
#if defined(GRIDDLE_KERNELS_COLUMN_STRIPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDDLE_KERNELS_COLUMN_STRIPS_INL_H_
#undef GRIDDLE_KERNELS_COLUMN_STRIPS_INL_H_
#else
#define GRIDDLE_KERNELS_COLUMN_STRIPS_INL_H_
#endif

#include <algorithm>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/folds/strips-inl.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace reduce_columns_unit {
namespace {

// Folds vectors that hold whole rows, in any order. There is at least one.
template <class In, class Op>
HWY_INLINE void fold_rows_in_vectors(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows,
                                     std::size_t columns) {
  const typename In::D d;
  constexpr std::size_t lanes = hn::MaxLanes(typename In::D());
  const std::size_t n = rows * columns;
  const auto first = [d](const typename In::Memory* from) HWY_ATTR { return begun<Op>(d, In::load(from)); };
  auto a = first(x);
  std::size_t i = lanes;
  if (n >= 5 * lanes) {
    auto b = first(x + lanes), c = first(x + 2 * lanes), e = first(x + 3 * lanes);
    for (i = 4 * lanes; i + 4 * lanes <= n; i += 4 * lanes) {
      a = Op::of(In::load(x + i), a);
      b = Op::of(In::load(x + i + lanes), b);
      c = Op::of(In::load(x + i + 2 * lanes), c);
      e = Op::of(In::load(x + i + 3 * lanes), e);
    }
    a = Op::of(Op::of(a, b), Op::of(c, e));
  }
  for (; i + lanes <= n; i += lanes) a = Op::of(In::load(x + i), a);
  if (i != n) {
    // The last rows end a vector whose first elements have been folded.
    const auto last = In::load(x + n - lanes);
    a = Op::of(Op::sums ? hn::IfThenZeroElse(hn::FirstN(d, i + lanes - n), last) : last, a);
  }
  store_folded(out, d, a, columns, [](auto v, auto w) HWY_ATTR { return Op::of(v, w); });
}

// Folds `vectors` vectors of columns through rows in registers, the last row first; `stride` columns make a row. The last vector
// begins at column `last`. Goes on from what `out` holds unless the rows are the last ones of all.
template <class In, class Op, std::size_t vectors>
HWY_INLINE void fold_strip(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t stride,
                           std::size_t last, bool from_end) {
  const typename In::D d;
  const std::size_t lanes = In::count();
  const auto column = [=](std::size_t k) HWY_ATTR { return k == vectors - 1 ? last : k * lanes; };
  const typename In::Memory* row = x + rows * stride;
  if (from_end) row -= stride;
  typename In::V so_far[vectors];
  if (from_end) {
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) so_far[k] = begun<Op>(d, In::load(row + column(k)));
  } else {
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) so_far[k] = hn::LoadU(d, out + column(k));
  }
  std::size_t r = from_end ? rows - 1 : rows;
  // One or two vectors wait for themselves: few instructions let the processor see what comes after.
  if constexpr (vectors <= 2)
    for (; r >= 4; r -= 4, row -= 4 * stride) {
      HWY_UNROLL(4) for (std::size_t i = 1; i <= 4; i++) {
        HWY_UNROLL(2)
        for (std::size_t k = 0; k < vectors; k++) so_far[k] = Op::of(In::load(row - i * stride + column(k)), so_far[k]);
      }
    }
  while (r-- > 0) {
    row -= stride;
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) so_far[k] = Op::of(In::load(row + column(k)), so_far[k]);
  }
  HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) hn::StoreU(so_far[k], d, out + column(k));
}

// Folds as many columns as a vector has lanes. Stands apart, so that next to nothing is done before and after.
template <class In, class Op>
HWY_NOINLINE void fold_vector(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows) {
  fold_strip<In, Op, 1>(out, x, rows, hn::MaxLanes(typename In::D()), 0, true);
}

// The same apart, so that each kind of strip is compiled once, and little is done before and after.
template <class In, class Op, std::size_t vectors>
HWY_NOINLINE void fold_strip_apart(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows,
                                   std::size_t stride, std::size_t last, bool from_end) {
  fold_strip<In, Op, vectors>(out, x, rows, stride, last, from_end);
}

// Folds a strip of all rows, of which there may be very many.
template <class In, class Op, std::size_t vectors>
void fold_tall_strip(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t stride,
                     std::size_t last) {
  for (std::size_t end = rows; end > 0;) {
    const std::size_t count = std::min(end, long_piece), start = end - count;
    fold_strip_apart<In, Op, vectors>(out, x + start * stride, count, stride, last, end == rows);
    end = start;
    if (end != 0) checkpoint();
  }
}

// Folds at least as many columns as a vector has lanes. Stands apart from what short rows do.
template <class In, class Op>
HWY_NOINLINE void fold_in_strips(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows,
                                 std::size_t columns) {
  const std::size_t lanes = In::count(), rest = columns % lanes;
  // Memory farther than the second-level cache is better read in smaller pieces.
  const bool in_caches = rows * columns * sizeof(typename In::Memory) <= std::size_t{1} << 20;
  if (columns <= (in_caches ? 8 : 16) * lanes || rows <= 16) {
    // Farther memory is better read in shorter pieces.
    const bool near = rows * columns * sizeof(typename In::Memory) <= std::size_t{1} << 15;
    // The last strip may begin before the end of the one before it, and the last vector of a strip likewise.
    std::size_t j = 0;
    ElementsDone done;
    while (j != columns) {
      const std::size_t left = columns - j;
      const auto strip = [&]<std::size_t vectors>(std::integral_constant<std::size_t, vectors>) HWY_ATTR {
        const std::size_t start = left >= lanes ? j : columns - lanes, width = std::min(columns - start, vectors * lanes);
        if (in_caches) {
          fold_strip_apart<In, Op, vectors>(out + start, x + start, rows, columns, width - lanes, true);
        } else {
          fold_tall_strip<In, Op, vectors>(out + start, x + start, rows, columns, width - lanes);
          done.add(rows * width);
        }
        j = start + width;
      };
      if (j == 0 && left > 4 * lanes && left <= 8 * lanes)
        wide_strip(lanes, left, strip);  // whole rows, in the order of memory
      else if (left > 7 * lanes && near)
        strip(std::integral_constant<std::size_t, 8>());
      else
        next_strip(lanes, left, strip);
    }
    return;
  }
  // Many wide rows are taken some at a time, so that memory is read in order.
  const std::size_t height = in_caches ? 24 : 12;
  // The last columns make a vector with some that the strips fold as well.
  const typename In::D d;
  auto kept = hn::Zero(d);
  ElementsDone done;
  for (std::size_t end = rows; end > 0;) {
    const bool from_end = end == rows;
    const std::size_t count = std::min(end, height);
    end -= count;
    const typename In::Memory* from = x + end * columns;
    if (rest != 0) {
      if (!from_end) hn::StoreU(kept, d, out + columns - lanes);
      fold_strip_apart<In, Op, 1>(out + columns - lanes, from + columns - lanes, count, columns, 0, from_end);
      kept = hn::LoadU(d, out + columns - lanes);
    }
    const auto strip = [&]<std::size_t vectors>(std::integral_constant<std::size_t, vectors>, std::size_t j) HWY_ATTR {
      fold_strip_apart<In, Op, vectors>(out + j, from + j, count, columns, (vectors - 1) * lanes, from_end);
      done.add(count * vectors * lanes);
      return j + vectors * lanes;
    };
    std::size_t j = 0;
    while (in_caches && j + 8 * lanes <= columns) j = strip(std::integral_constant<std::size_t, 8>(), j);
    while (j + 4 * lanes <= columns) j = strip(std::integral_constant<std::size_t, 4>(), j);
    while (j + 2 * lanes <= columns) j = strip(std::integral_constant<std::size_t, 2>(), j);
    while (j + lanes <= columns) j = strip(std::integral_constant<std::size_t, 1>(), j);
  }
  if (rest != 0) hn::StoreU(kept, d, out + columns - lanes);
}

// The bytes of the longest vectors.
constexpr std::size_t most_bytes = std::min<std::size_t>(64, HWY_MAX_BYTES);

template <class Memory, class Result, std::size_t bytes = most_bytes>
using LanesIn = Lanes<Memory, Result, hn::CappedTag<Result, bytes / sizeof(Result)>>;

// Folds columns that at most two vectors of `bytes` hold; in shorter vectors where they do not fill one, so that one or two are
// enough there, too.
template <class Memory, class Result, class Op, std::size_t bytes = most_bytes>
void fold_few_columns(Result* out, const Memory* x, std::size_t rows, std::size_t columns) {
  using In = LanesIn<Memory, Result, bytes>;
  if constexpr (bytes > sizeof(Result)) {
    if (columns < In::count()) return fold_few_columns<Memory, Result, Op, bytes / 2>(out, x, rows, columns);
    if (columns > In::count())
      return rows > long_piece ? fold_tall_strip<In, Op, 2>(out, x, rows, columns, columns - In::count())
                               : fold_strip_apart<In, Op, 2>(out, x, rows, columns, columns - In::count(), true);
  }
  if (rows > long_piece) return fold_tall_strip<In, Op, 1>(out, x, rows, columns, 0);
  fold_vector<In, Op>(out, x, rows);
}

// The same, where vectors may hold whole rows that are folded in any order.
template <class Memory, class Result, class Op>
void fold_short_rows(Result* out, const Memory* x, std::size_t rows, std::size_t columns) {
  using In = LanesIn<Memory, Result>;
  if constexpr (!Op::sums || std::is_integral_v<Memory>)
    if (In::count() % columns == 0 && rows * columns >= In::count()) return fold_rows_in_vectors<In, Op>(out, x, rows, columns);
  fold_few_columns<Memory, Result, Op>(out, x, rows, columns);
}

template <class Memory, class Result, class Op>
void fold_columns(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  if (columns <= 2 * LanesIn<Memory, Result>::count()) return fold_short_rows<Memory, Result, Op>(out, x, rows, columns);
  fold_in_strips<Lanes<Memory, Result>, Op>(out, x, rows, columns);
}

}  // namespace
}  // namespace reduce_columns_unit
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
