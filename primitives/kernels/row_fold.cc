#include "primitives/kernels/row_fold.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/row_fold.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int8_t;

struct Plus {
  template <class T>
  static T neutral() {
    return 0;
  }
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return hn::Add(a, b);
  }
  template <class T>
  static T of_two(T a, T b) {
    return a + b;
  }
};
template <bool greatest>
struct Best {
  template <class T>
  static T neutral() {
    using L = std::numeric_limits<T>;
    if (L::has_infinity) return greatest ? -L::infinity() : L::infinity();
    return greatest ? L::lowest() : L::max();
  }
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return extreme_of<greatest>(a, b);
  }
  template <class T>
  static T of_two(T a, T b) {
    if (a != a || b != b) return a != a ? a : b;
    return greatest ? std::max(a, b) : std::min(a, b);
  }
};

template <class Memory, class Compute, class Result, class Op>
void fold_one_by_one(Result* out, const Memory* x, std::size_t columns, std::size_t rows) {
  for (std::size_t r = 0; r < rows; r++, x += columns) {
    Compute so_far = static_cast<Compute>(x[columns - 1]);
    for (std::size_t j = columns - 1; j-- > 0;) so_far = Op::of_two(static_cast<Compute>(x[j]), so_far);
    out[r] = static_cast<Result>(so_far);
  }
}

#if HWY_TARGET != HWY_SCALAR

template <class T>
using Block = hn::CappedTag<T, 32 / sizeof(T)>;

// Loads elements of a narrower type.
template <class Memory, class D>
HWY_INLINE hn::Vec<D> load_wider(D d, const Memory* p) {
  if constexpr (std::is_same_v<Memory, hn::TFromD<D>>)
    return hn::LoadU(d, p);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Memory, D>(), p));
}

// Folds the lanes of as many vectors as there are lanes: lane k of the result is the fold of vector k.
template <class Op, class D, class V = hn::Vec<D>>
HWY_INLINE V fold_lanes(D d, V* v) {
  constexpr std::size_t lanes = hn::MaxLanes(D());
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    // Pairs of vectors become one that holds neighbours as 64-bit lanes.
    const hn::Repartition<std::uint64_t, D> wide;
    for (std::size_t k = 0; k < lanes / 2; k++)
      v[k] = Op::of(hn::InterleaveLower(d, v[2 * k], v[2 * k + 1]), hn::InterleaveUpper(d, v[2 * k], v[2 * k + 1]));
    for (std::size_t k = 0; k < lanes / 4; k++) {
      const auto a = hn::BitCast(wide, v[2 * k]), b = hn::BitCast(wide, v[2 * k + 1]);
      v[k] = Op::of(hn::BitCast(d, hn::InterleaveLower(wide, a, b)), hn::BitCast(d, hn::InterleaveUpper(wide, a, b)));
    }
  } else {
    for (std::size_t k = 0; k < lanes / 2; k++)
      v[k] = Op::of(hn::InterleaveLower(d, v[2 * k], v[2 * k + 1]), hn::InterleaveUpper(d, v[2 * k], v[2 * k + 1]));
  }
  if constexpr (sizeof(V) == 32)
    return Op::of(hn::ConcatLowerLower(d, v[1], v[0]), hn::ConcatUpperUpper(d, v[1], v[0]));
  else
    return v[0];
}

// Folds in any order.
template <class Memory, class Compute, class Result, class Op>
void fold_exact(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  const Block<Compute> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  const std::size_t whole = (columns - 1) / lanes * lanes, rest = columns - whole;  // 1 to a vector's lanes are left
  // Lanes beyond the row take what changes nothing: by and and or, since g++ 12 fails on masked widening loads of AVX-512.
  const auto keep = hn::VecFromMask(d, hn::FirstN(d, rest));
  const auto fill = hn::AndNot(keep, hn::Set(d, Op::template neutral<Compute>()));
  // The last vector of a row may reach into the next rows.
  const std::size_t beyond = lanes - rest, unsafe = (beyond + columns - 1) / columns;
  const std::size_t safe_rows = rows > unsafe ? rows - unsafe : 0;
  // Gives the fold of each lane's share of a row.
  const auto by_lanes = [=](const Memory* row, auto last) HWY_ATTR {
    V so_far = last(load_wider(d, row + whole));
    for (std::size_t j = 0; j < whole; j += lanes) so_far = Op::of(load_wider(d, row + j), so_far);
    return so_far;
  };
  const auto fold_all = [=](auto last) HWY_ATTR {
    std::size_t r = 0;
    for (; r + lanes <= safe_rows; r += lanes) {
      const Memory* row = x + r * columns;
      V folded[lanes];
      HWY_UNROLL(8) for (std::size_t k = 0; k < lanes; k++, row += columns) folded[k] = by_lanes(row, last);
      const V all = fold_lanes<Op>(d, folded);
      if constexpr (sizeof(Result) == sizeof(Compute)) {
        hn::StoreU(all, d, out + r);
      } else {
        const hn::Rebind<Result, decltype(d)> narrow;
        hn::StoreU(hn::DemoteTo(narrow, all), narrow, out + r);
      }
    }
    return r;
  };
  const std::size_t r = rest == lanes ? fold_all([](V v) HWY_ATTR { return v; })
                                      : fold_all([=](V v) HWY_ATTR { return hn::Or(hn::And(v, keep), fill); });
  fold_one_by_one<Memory, Compute, Result, Op>(out + r, x + r * columns, columns, rows - r);
}

// Sums doubles from the right: four rows (on lesser targets two) are turned to columns in registers, two such groups at a time.
void sum_f64(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  const Block<double> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  double* out = static_cast<double*>(out_bytes);
  const double* x = static_cast<const double*>(x_bytes);
  const auto turn = [=](const double* from, V* v) HWY_ATTR {
    V row[lanes];
    for (std::size_t k = 0; k < lanes; k++) row[k] = hn::LoadU(d, from + k * columns);
    if constexpr (lanes == 4) {
      const V ab = hn::InterleaveLower(d, row[0], row[1]), cd = hn::InterleaveLower(d, row[2], row[3]);
      const V ef = hn::InterleaveUpper(d, row[0], row[1]), gh = hn::InterleaveUpper(d, row[2], row[3]);
      v[0] = hn::ConcatLowerLower(d, cd, ab);
      v[1] = hn::ConcatLowerLower(d, gh, ef);
      v[2] = hn::ConcatUpperUpper(d, cd, ab);
      v[3] = hn::ConcatUpperUpper(d, gh, ef);
    } else {
      v[0] = hn::InterleaveLower(d, row[0], row[1]);
      v[1] = hn::InterleaveUpper(d, row[0], row[1]);
    }
  };
  constexpr std::size_t groups = 2, together = groups * lanes;
  const std::size_t first = columns % lanes;  // columns before those that make whole blocks
  const std::size_t unsafe = first == 0 ? 0 : (lanes - first + columns - 1) / columns;
  const std::size_t safe_rows = rows > unsafe ? rows - unsafe : 0;
  std::size_t r = 0;
  for (; r + together <= safe_rows; r += together) {
    const double* from = x + r * columns;
    // 0 and -0 differ as what to start from: -0 leaves every number as it is.
    V so_far[groups], v[lanes];
    for (V& s : so_far) s = hn::Set(d, -0.0);
    for (std::size_t j = columns; j > first;) {
      j -= lanes;
      for (std::size_t g = 0; g < groups; g++) {
        turn(from + g * lanes * columns + j, v);
        for (std::size_t k = lanes; k-- > 0;) so_far[g] = hn::Add(v[k], so_far[g]);
      }
    }
    if (first != 0)
      for (std::size_t g = 0; g < groups; g++) {
        turn(from + g * lanes * columns, v);
        for (std::size_t k = first; k-- > 0;) so_far[g] = hn::Add(v[k], so_far[g]);
      }
    for (std::size_t g = 0; g < groups; g++) hn::StoreU(so_far[g], d, out + r + g * lanes);
  }
  fold_one_by_one<double, double, double, Plus>(out + r, x + r * columns, columns, rows - r);
}

#else

template <class Memory, class Compute, class Result, class Op>
void fold_exact(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_one_by_one<Memory, Compute, Result, Op>(static_cast<Result*>(out), static_cast<const Memory*>(x), columns, rows);
}
void sum_f64(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_one_by_one<double, double, double, Plus>(static_cast<double*>(out), static_cast<const double*>(x), columns, rows);
}

#endif

const RowFoldKernels* table() {
  using Least = Best<false>;
  using Greatest = Best<true>;
  static constexpr RowFoldKernels kernels = {
      .sum = {fold_exact<int8_t, int32_t, int32_t, Plus>, fold_exact<int16_t, int32_t, int32_t, Plus>,
              fold_exact<int32_t, double, double, Plus>, sum_f64},
      .minimum = {fold_exact<int8_t, int32_t, int8_t, Least>, fold_exact<int16_t, int32_t, int16_t, Least>,
                  fold_exact<int32_t, int32_t, int32_t, Least>, fold_exact<double, double, double, Least>},
      .maximum = {fold_exact<int8_t, int32_t, int8_t, Greatest>, fold_exact<int16_t, int32_t, int16_t, Greatest>,
                  fold_exact<int32_t, int32_t, int32_t, Greatest>, fold_exact<double, double, double, Greatest>},
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const RowFoldKernels& row_fold() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
