#include <algorithm>
#include <cstring>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/column_strips-inl.h"
#include "primitives/kernels/folds/columns_in_order-inl.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/wide_sums.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace reduce_columns_unit {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;

// Bits, a word of them at a time. As sums, none leave others as they are.
struct ExclusiveOr {
  static constexpr bool sums = true;
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return hn::Xor(a, b);
  }
};
template <bool all>
struct Together {
  static constexpr bool sums = false;
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return all ? hn::And(a, b) : hn::Or(a, b);
  }
};

template <class T, bool greatest>
void extremes_of_columns(void* out, const void* x, std::size_t rows, std::size_t columns) {
  using Op = Best<greatest>;
  T* const to = static_cast<T*>(out);
  const T* const from = static_cast<const T*>(x);
  // Few elements do not make up for what it takes to bring vectors in order in the end.
  constexpr std::size_t few = 8192;  // bytes
  const bool rows_fill_vectors = hn::Lanes(hn::ScalableTag<T>()) % columns == 0 && rows * columns * sizeof(T) <= few;
  if (rows_fill_vectors || !extremes_in_order<Op>(to, from, rows, columns)) fold_columns<T, T, Op>(out, x, rows, columns);
}

void copy_nans(double* to, const double* from, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, from + i);
    hn::StoreU(hn::IfThenElse(hn::Eq(v, v), hn::LoadU(d, to + i), v), d, to + i);
  }
  for (; i < n; i++)
    if (from[i] != from[i]) to[i] = from[i];
}

// Wider rows are read too far apart to be taken four at a time.
constexpr std::size_t most_in_turn = 64;

// Sums columns of doubles, each from the last row up. Many are added four rows at a time, so that memory is read in order; the
// sums so far stay in the first-level cache.
void sum_doubles(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  // Few sums wait for themselves: on some processors half as long in vectors of 256 bits as in longer ones.
  if constexpr (hn::MaxLanes(decltype(d)()) > 4)
    if (columns <= lanes)
      return fold_few_columns<double, double, Plus, 32>(static_cast<double*>(out_bytes), static_cast<const double*>(x_bytes),
                                                        rows, columns);
  if (columns <= 8 * lanes || columns > most_in_turn || columns % lanes != 0 || rows < 5)
    return fold_columns<double, double, Plus>(out_bytes, x_bytes, rows, columns);
  double* const out = static_cast<double*>(out_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  std::memcpy(out, x + (rows - 1) * columns, columns * sizeof(double));
  std::size_t r = rows - 1;
  ElementsDone done;
  for (; r >= 4; r -= 4) {
    done.add(4 * columns);
    const double* const from = x + (r - 4) * columns;
    for (std::size_t j = 0; j < columns; j += lanes) {
      auto sum = hn::LoadU(d, out + j);
      for (std::size_t k = 4; k-- > 0;) sum = hn::Add(hn::LoadU(d, from + k * columns + j), sum);
      hn::StoreU(sum, d, out + j);
    }
  }
  while (r-- > 0)
    for (std::size_t j = 0; j < columns; j += lanes)
      hn::StoreU(hn::Add(hn::LoadU(d, x + r * columns + j), hn::LoadU(d, out + j)), d, out + j);
}

// Changes vectors that hold the lower and the upper halves of blocks for such that hold lanes in order, and back.
template <class D, class V>
HWY_INLINE void change_halves([[maybe_unused]] D d, [[maybe_unused]] V& lower, [[maybe_unused]] V& upper) {
  if constexpr (sizeof(V) == 32) {
    const V first = hn::ConcatLowerLower(d, upper, lower);
    upper = hn::ConcatUpperUpper(d, upper, lower);
    lower = first;
  }
}

// Sums elements of two rows at a time to twice their width: interleaved, they are neighbours. Some rows are passed through in all
// strips before the next ones.
template <class T, class Sum>
void sum_in_pairs(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  const Blocks<T> d;
  const hn::Repartition<Sum, decltype(d)> wide;
  using V = hn::Vec<decltype(wide)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  Sum* const out = static_cast<Sum*>(out_bytes);
  const T* const x = static_cast<const T*>(x_bytes);
  static_assert(lanes <= 2 * hn::MaxLanes(hn::ScalableTag<Sum>()));
  if (columns < lanes) return fold_short_rows<T, Sum, Plus>(out, x, rows, columns);
  // Of the last columns where these do not fill a vector of their own.
  HWY_ALIGN Sum last_sums[lanes];
  const bool has_part = columns % lanes != 0;
  const std::size_t height = columns <= 4 * lanes ? rows : 24;
  for (std::size_t start = 0; start < rows; start += height) {
    const std::size_t count = std::min(height, rows - start);
    each_strip(lanes, columns, [=, &last_sums](auto number, std::size_t begin, std::size_t last) HWY_ATTR {
      constexpr std::size_t vectors = decltype(number)::value;
      const auto column = [=](std::size_t k) HWY_ATTR { return k == vectors - 1 ? last : begin + k * lanes; };
      const auto place = [=, &last_sums](std::size_t k)
                             HWY_ATTR { return has_part && column(k) == columns - lanes ? last_sums : out + column(k); };
      V lower[vectors], upper[vectors];
      HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) {
        lower[k] = start == 0 ? hn::Zero(wide) : hn::LoadU(wide, place(k));
        upper[k] = start == 0 ? hn::Zero(wide) : hn::LoadU(wide, place(k) + lanes / 2);
        change_halves(wide, lower[k], upper[k]);
      }
      const auto add = [&](std::size_t k, auto first, auto second) HWY_ATTR {
        lower[k] = hn::Add(lower[k], pair_sums(wide, hn::BitCast(wide, hn::InterleaveLower(d, first, second))));
        upper[k] = hn::Add(upper[k], pair_sums(wide, hn::BitCast(wide, hn::InterleaveUpper(d, first, second))));
      };
      const T* row = x + start * columns;
      for (std::size_t r = 0; r + 2 <= count; r += 2, row += 2 * columns) HWY_UNROLL(4)
      for (std::size_t k = 0; k < vectors; k++)
        add(k, kept(hn::LoadU(d, row + column(k))), kept(hn::LoadU(d, row + columns + column(k))));
      HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) {
        if (count % 2 != 0) add(k, hn::LoadU(d, row + column(k)), hn::Zero(d));
        change_halves(wide, lower[k], upper[k]);
        hn::StoreU(lower[k], wide, place(k));
        hn::StoreU(upper[k], wide, place(k) + lanes / 2);
      }
    });
  }
  if (has_part) std::memcpy(out + columns - lanes, last_sums, sizeof last_sums);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

constexpr auto sum_i32_to_i64 = fold_columns<int32_t, int64_t, Plus>;

// Sums i32 to doubles, at most 2^16 rows, as integers that stand in the place of the results until the last.
void sum_i32_columns(void* out, const void* x, std::size_t rows, std::size_t columns) {
  sum_i32_to_i64(out, x, rows, columns);
  wide_sums().to_f64(out, static_cast<const int64_t*>(out), columns);
}

#else

// Sums i32 to doubles, at most 2^16 rows: by what whole elements give in 32 bits, and by what their upper halves give, from which
// that of the lower halves follows. Both stand in the place of the results until the last.
template <std::size_t bytes>
void sum_i32_halves(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  const hn::CappedTag<int32_t, bytes / 4> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const int32_t* x = static_cast<const int32_t*>(x_bytes);
  if constexpr (bytes > 16)
    if (columns < lanes) return sum_i32_halves<bytes / 2>(out_bytes, x_bytes, rows, columns);
  // Few rows do not make up for what halves cost in the end.
  constexpr std::size_t few_rows = 16;
  if (columns < lanes || rows <= few_rows) return fold_columns<int32_t, double, Plus>(out_bytes, x_bytes, rows, columns);
  double* out = static_cast<double*>(out_bytes);
  int32_t* const sums = reinterpret_cast<int32_t*>(out_bytes);
  // Of the last columns where these do not fill a vector of their own.
  HWY_ALIGN int32_t last_sums[2 * hn::MaxLanes(decltype(d)())];
  const bool has_part = columns % lanes != 0;
  // Many wide rows are taken some at a time, so that memory is read in order.
  const std::size_t height = columns <= 16 * lanes || rows <= 16 ? rows : 12;
  for (std::size_t r = 0; r < rows; r += height) {
    const std::size_t count = std::min(height, rows - r);
    each_strip(lanes, columns, [=, &last_sums](auto number, std::size_t begin, std::size_t last) HWY_ATTR {
      constexpr std::size_t vectors = decltype(number)::value;
      const auto column = [=](std::size_t k) HWY_ATTR { return k == vectors - 1 ? last : begin + k * lanes; };
      const auto place = [=, &last_sums](std::size_t k) HWY_ATTR {
        const bool is_part = has_part && column(k) == columns - lanes;
        return is_part ? last_sums : sums + 2 * column(k);
      };
      V whole[vectors], upper[vectors];
      HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) {
        whole[k] = r == 0 ? hn::Zero(d) : hn::LoadU(d, place(k));
        upper[k] = r == 0 ? hn::Zero(d) : hn::LoadU(d, place(k) + lanes);
      }
      const int32_t* from = x + r * columns;
      for (std::size_t i = 0; i < count; i++, from += columns) HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) {
          const V v = kept(hn::LoadU(d, from + column(k)));
          whole[k] = hn::Add(whole[k], v);
          upper[k] = hn::Add(upper[k], hn::ShiftRight<16>(v));
        }
      HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) {
        hn::StoreU(whole[k], d, place(k));
        hn::StoreU(upper[k], d, place(k) + lanes);
      }
    });
  }
  const auto to_doubles = [=](double* to, const int32_t* from) HWY_ATTR {
    const hn::Half<decltype(d)> half;
    const hn::Rebind<double, decltype(half)> real;
    const V whole = hn::LoadU(d, from), upper = hn::LoadU(d, from + lanes);
    // Lower halves have no sign; 2^31 less, they fit lanes that have.
    const V lower = hn::Xor(hn::Sub(whole, hn::ShiftLeft<16>(upper)), hn::Set(d, std::numeric_limits<int32_t>::min()));
    const auto sum = [=](auto part_upper, auto part_lower) HWY_ATTR {
      return hn::MulAdd(hn::PromoteTo(real, part_upper), hn::Set(real, 65536.0),
                        hn::Add(hn::PromoteTo(real, part_lower), hn::Set(real, 2147483648.0)));
    };
    hn::StoreU(sum(hn::LowerHalf(half, upper), hn::LowerHalf(half, lower)), real, to);
    hn::StoreU(sum(hn::UpperHalf(half, upper), hn::UpperHalf(half, lower)), real, to + lanes / 2);
  };
  for (std::size_t j = 0; j + lanes <= columns; j += lanes) to_doubles(out + j, sums + 2 * j);
  if (has_part) to_doubles(out + columns - lanes, last_sums);
}
constexpr auto sum_i32_columns = sum_i32_halves<most_bytes>;

#endif

// Sums columns of i32 as such; false where a sum of a column, or of its last rows, does not fit.
bool checked_sum(int32_t* out, const int32_t* x, std::size_t rows, std::size_t columns) {
  const hn::ScalableTag<int32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto sum_strip = [=](std::size_t j, std::size_t count) HWY_ATTR {
    const auto at = [=](std::size_t r) HWY_ATTR {
      const int32_t* from = x + r * columns + j;
      return count == lanes ? hn::LoadU(d, from) : load_few<Lanes<int32_t>>(from, count);
    };
    auto sum = at(rows - 1), bad = hn::Zero(d);
    for (std::size_t r = rows - 1; r-- > 0;) {
      const auto v = at(r), next = hn::Add(sum, v);
      bad = hn::Or(bad, hn::And(hn::Xor(sum, next), hn::Xor(v, next)));
      sum = next;
    }
    if (!hn::AllFalse(d, hn::Lt(bad, hn::Zero(d)))) return false;
    if (count == lanes) {
      hn::StoreU(sum, d, out + j);
    } else {
      HWY_ALIGN int32_t part[hn::MaxLanes(d)];
      hn::Store(sum, d, part);
      std::memcpy(out + j, part, count * sizeof(int32_t));
    }
    return true;
  };
  std::size_t j = 0;
  for (; j + lanes <= columns; j += lanes)
    if (!sum_strip(j, lanes)) return false;
  if (j == columns) return true;
  return columns >= lanes ? sum_strip(columns - lanes, lanes) : sum_strip(0, columns);
}

const ReduceColumnKernels* reduce_columns_kernels() {
  static constexpr ReduceColumnKernels kernels = {
    .sum = {fold_columns<int8_t, int32_t, Plus>, sum_in_pairs<int16_t, int32_t>, sum_i32_columns, sum_doubles},
    .sum_i16 = sum_in_pairs<int8_t, int16_t>,
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    .wide_sum = sum_i32_to_i64,
#else
    .wide_sum = nullptr,
#endif
    .checked_sum = checked_sum,
    .words = {fold_columns<uint64_t, uint64_t, Together<true>>, fold_columns<uint64_t, uint64_t, Together<false>>,
              fold_columns<uint64_t, uint64_t, ExclusiveOr>},
    .minimum = {extremes_of_columns<int8_t, false>, extremes_of_columns<int16_t, false>, extremes_of_columns<int32_t, false>,
                extremes_of_columns<double, false>},
    .maximum = {extremes_of_columns<int8_t, true>, extremes_of_columns<int16_t, true>, extremes_of_columns<int32_t, true>,
                extremes_of_columns<double, true>},
    .copy_nans = copy_nans,
  };
  return &kernels;
}

}  // namespace
}  // namespace reduce_columns_unit
using reduce_columns_unit::reduce_columns_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(reduce_columns_kernels);
const ReduceColumnKernels& reduce_columns() { return *HWY_DYNAMIC_DISPATCH(reduce_columns_kernels)(); }
}  // namespace griddle::kernels
#endif
