#include "primitives/kernels/folds/row_fold.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/folds/row_blocks-inl.h"
#include "primitives/kernels/folds/turned_rows-inl.h"
#include "primitives/kernels/moves/transpose.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace row_fold_unit {
namespace {

using std::int16_t, std::int32_t, std::int8_t;

template <class Memory, class Compute, class Result, class Op>
void fold_one_by_one(Result* out, const Memory* x, std::size_t columns, std::size_t rows) {
  for (std::size_t r = 0; r < rows; r++, x += columns) {
    Compute so_far = static_cast<Compute>(x[columns - 1]);
    for (std::size_t j = columns - 1; j-- > 0;) so_far = Op::of_two(static_cast<Compute>(x[j]), so_far);
    out[r] = static_cast<Result>(so_far);
  }
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

// Gives what changes the sign: a sign bit for exclusive or, or all ones for a complement to which 1 is added.
template <class T>
T negation() {
  return std::is_floating_point_v<T> ? static_cast<T>(-0.0) : static_cast<T>(-1);
}

// Reads a vector of elements, each to a lane. Lanes beyond the row take what changes nothing.
template <class Memory, class Compute, class Op>
struct EachElement {
  using D = Blocks<Compute>;
  using V = hn::Vec<D>;
  static constexpr std::size_t elements = hn::MaxLanes(D());
  // By and and or, since g++ 12 fails on masked widening loads of AVX-512.
  explicit EachElement(std::size_t rest)
      : keep(hn::VecFromMask(D(), hn::FirstN(D(), rest))),
        fill(hn::AndNot(keep, hn::Set(D(), Op::template neutral<Compute>()))) {}
  static HWY_INLINE V load(const Memory* p) { return Lanes<Memory, Compute, D>::load(p); }
  HWY_INLINE V last(const Memory* p) const { return hn::Or(hn::And(load(p), keep), fill); }
  V keep, fill;
};

// Folds in any order, a reader's elements at a time.
template <class Reader, class Memory, class Compute, class Result, class Op>
void fold_by(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  const Blocks<Compute> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)()), elements = Reader::elements;
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  // 1 to all of a vector's elements are left.
  const std::size_t whole = (columns - 1) / elements * elements, rest = columns - whole;
  const Reader reader(rest);
  // The last vector of a row may reach into the next rows.
  const std::size_t beyond = elements - rest, unsafe = (beyond + columns - 1) / columns;
  const std::size_t safe_rows = rows > unsafe ? rows - unsafe : 0;
  HWY_ALIGN Compute signs[lanes];
  for (std::size_t k = 0; k < lanes; k++) signs[k] = k % 2 == 0 ? Compute{0} : negation<Compute>();
  const V sign = hn::Load(d, signs);
  // Extremes leave NaNs aside, but for the last of a row: that is looked for where ends of rows add up to a NaN.
  constexpr bool watches_ends = std::is_floating_point_v<Compute> && requires { Op::leaves_nans; };
  // Gives the fold of each lane's share of a row, and its end.
  const auto by_lanes = [=](const Memory* row, auto last, V& end) HWY_ATTR {
    end = last(row + whole);
    V so_far = begun<Op>(d, end);
    for (std::size_t j = 0; j < whole; j += elements) so_far = Op::of(Reader::load(row + j), so_far);
    if constexpr (!Op::alternates)
      return so_far;
    else if constexpr (std::is_floating_point_v<Compute>)
      return hn::Xor(so_far, sign);
    else
      return hn::Sub(hn::Xor(so_far, sign), sign);
  };
  const auto fold_all = [=](auto last) HWY_ATTR {
    std::size_t r = 0;
    for (; r + lanes <= safe_rows; r += lanes) {
      const Memory* row = x + r * columns;
      V folded[lanes], ends[lanes];
      HWY_UNROLL(8) for (std::size_t k = 0; k < lanes; k++, row += columns) folded[k] = by_lanes(row, last, ends[k]);
      const V all = fold_lanes<Op>(d, folded);
      if constexpr (sizeof(Result) == sizeof(Compute)) {
        hn::StoreU(all, d, out + r);
        if constexpr (watches_ends) {
          V sum = ends[0];
          HWY_UNROLL(8) for (std::size_t k = 1; k < lanes; k++) sum = hn::Add(sum, ends[k]);
          if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(sum, sum))))
            for (std::size_t k = 0; k < lanes; k++)
              if (const Compute end = x[(r + k + 1) * columns - 1]; end != end) out[r + k] = end;
        }
      } else {
        const hn::Rebind<Result, decltype(d)> narrow;
        hn::StoreU(hn::DemoteTo(narrow, all), narrow, out + r);
      }
    }
    return r;
  };
  const std::size_t r = rest == elements ? fold_all([](const Memory* p) HWY_ATTR { return Reader::load(p); })
                                         : fold_all([=](const Memory* p) HWY_ATTR { return reader.last(p); });
  fold_one_by_one<Memory, Compute, Result, Op>(out + r, x + r * columns, columns, rows - r);
}

template <class Memory, class Compute, class Result, class Op>
void fold_exact(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_by<EachElement<Memory, Compute, Op>, Memory, Compute, Result, Op>(out, x, columns, rows);
}

// Stores what rows give by blocks.
template <class Lane>
struct StoreResults {
  using D = Blocks<Lane>;
  Lane* out;
  HWY_INLINE bool goes_on(std::size_t) const { return true; }
  HWY_INLINE void operator()(std::size_t r, hn::Vec<D> results) const { hn::StoreU(results, D(), out + r); }
  HWY_INLINE void few(std::size_t r, std::size_t count, hn::Vec<D> results) const {
    HWY_ALIGN Lane last[hn::MaxLanes(D())];
    hn::Store(results, D(), last);
    std::memcpy(out + r, last, count * sizeof(Lane));
  }
};
template <class Way>
void fold_by_blocks(void* out, const void* x, std::size_t columns, std::size_t rows) {
  const StoreResults<typename Way::Lane> store = {static_cast<typename Way::Lane*>(out)};
  fold_rows_by_blocks<Way>(static_cast<const typename Way::Memory*>(x), columns, rows, store);
}
template <class T, bool greatest>
void extremes_of_rows(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_by_blocks<ExtremeInBlocks<T, Best<greatest>>>(out, x, columns, rows);
}
template <class T, bool alternates>
void sums_of_rows(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_by_blocks<SumInBlocks<T, alternates>>(out, x, columns, rows);
}

// Gives the nearest integers, and the least one for what 32 bits do not hold and for NaN.
template <class D, class V>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> integers_or_least(D, V v) {
  const hn::RebindToSigned<D> integers;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (sizeof(V) == 32) return hn::Vec<decltype(integers)>{_mm256_cvtps_epi32(v.raw)};
#endif
  const auto fits = hn::Lt(hn::Abs(v), hn::Set(D(), 2147483648.0f));
  return hn::IfThenElse(hn::RebindMask(integers, fits), hn::ConvertTo(integers, v), hn::Set(integers, hwy::LimitsMin<int32_t>()));
}

// Stores products of rows, and looks now and then whether they are small.
class StoreProducts {
 public:
  using D = Blocks<int32_t>;
  using V = hn::Vec<D>;
  using Products = hn::Vec<Blocks<float>>;

  explicit StoreProducts(int32_t* out)
      : store_{out},
        low_(hn::Set(D(), std::numeric_limits<int32_t>::max())),
        high_(hn::Set(D(), std::numeric_limits<int32_t>::min())) {}
  HWY_INLINE bool goes_on(std::size_t r) const {
    constexpr std::size_t looked_at = 64 * hn::MaxLanes(D());
    return r % looked_at != 0 || are_small();
  }
  HWY_INLINE void operator()(std::size_t r, Products real) {
    const V products = integers_or_least(Blocks<float>(), real);
    low_ = hn::Min(low_, products);
    high_ = hn::Max(high_, products);
    store_(r, products);
  }
  HWY_INLINE void few(std::size_t r, std::size_t count, Products real) {
    const V products = integers_or_least(Blocks<float>(), real);
    const auto are_there = hn::FirstN(D(), count);
    low_ = hn::Min(low_, hn::IfThenElse(are_there, products, low_));
    high_ = hn::Max(high_, hn::IfThenElse(are_there, products, high_));
    store_.few(r, count, products);
  }
  HWY_INLINE bool are_small() const {
    const D d;
    constexpr int32_t great = 1 << 24;
    return hn::AllTrue(d, hn::And(hn::Lt(high_, hn::Set(d, great)), hn::Gt(low_, hn::Set(d, -great))));
  }
  HWY_INLINE Bounds bounds() const {
    const D d;
    return {fold_of_lanes(d, low_, [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); }),
            fold_of_lanes(d, high_, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); })};
  }

 private:
  StoreResults<int32_t> store_;
  V low_, high_;
};

template <class Memory>
bool small_products(int32_t* out, const void* x, std::size_t columns, std::size_t rows, Bounds& bounds) {
  const StoreProducts stored =
      fold_rows_by_blocks<ProductInBlocks<Memory>>(static_cast<const Memory*>(x), columns, rows, StoreProducts(out));
  bounds = stored.bounds();
  return stored.are_small();
}

// Folds the rows of one group, or of two side by side, from the right.
template <class Turned, class Op, std::size_t groups, class Memory>
HWY_INLINE void fold_groups_in_order(double* const (&out)[groups], const Memory* const (&x)[groups], std::size_t columns) {
  const typename Turned::D d;
  const std::size_t first = columns % Turned::columns;  // columns before those that make whole blocks
  typename Turned::V so_far[groups], v[Turned::columns];
  for (auto& s : so_far) s = hn::Set(d, Op::start);
  for (std::size_t j = columns; j > first;) {
    j -= Turned::columns;
    for (std::size_t g = 0; g < groups; g++) {
      Turned::load(x[g] + j, columns, v);
      for (std::size_t k = Turned::columns; k-- > 0;) so_far[g] = Op::in_order(v[k], so_far[g]);
    }
  }
  if (first != 0)
    for (std::size_t g = 0; g < groups; g++) {
      Turned::load(x[g], columns, v);
      for (std::size_t k = first; k-- > 0;) so_far[g] = Op::in_order(v[k], so_far[g]);
    }
  for (std::size_t g = 0; g < groups; g++) hn::StoreU(so_far[g], d, out[g]);
}

// Folds rows behind which so much may be read that a block of columns is there. The last groups may fold rows again.
template <class Memory, class Op, class D>
void fold_turned_rows(double* out, const Memory* x, std::size_t columns, std::size_t rows) {
  using Turned = TurnedRows<Memory, D>;
  constexpr std::size_t group = Turned::rows;
  if (rows < group) {
    if constexpr (group > 2)
      return fold_turned_rows<Memory, Op, hn::Half<D>>(out, x, columns, rows);
    else
      return fold_one_by_one<Memory, double, double, Op>(out, x, columns, rows);
  }
  const auto fold_one = [=](std::size_t r)
                            HWY_ATTR { fold_groups_in_order<Turned, Op, 1, Memory>({out + r}, {x + r * columns}, columns); };
  // Of long rows two groups do not wait for each other; the processor looks beyond short ones by itself.
  constexpr std::size_t long_row = 32;
  std::size_t r = 0;
  if (columns >= long_row)
    for (; r + group < rows; r += 2 * group) {
      const std::size_t second = std::min(r + group, rows - group);
      fold_groups_in_order<Turned, Op, 2, Memory>({out + r, out + second}, {x + r * columns, x + second * columns}, columns);
    }
  for (; r + group <= rows; r += group) fold_one(r);
  if (r < rows) fold_one(rows - group);
}

// Folds doubles from the right: some rows are turned to columns in registers.
template <class Memory, class Op>
void fold_in_order(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  double* const out = static_cast<double*>(out_bytes);
  const Memory* const x = static_cast<const Memory*>(x_bytes);
  using D = hn::ScalableTag<double>;
  // A row that is shorter than a block reaches into the next ones.
  constexpr std::size_t block = TurnedRows<Memory, D>::columns;
  const std::size_t beyond = columns < block ? std::min(rows, (block - 1) / columns) : 0, turned = rows - beyond;
  if (turned != 0) fold_turned_rows<Memory, Op, D>(out, x, columns, turned);
  fold_one_by_one<Memory, double, double, Op>(out + turned, x + turned * columns, columns, beyond);
}

// Multiplies rows of integers from the right: some rows at a time are turned to columns as they are, which is cheaper than
// turning the doubles that they become.
template <class Memory>
void multiply_in_order(double* out, const Memory* x, std::size_t columns, std::size_t rows) {
  constexpr std::size_t together = 64, few = 16, most = 128, block = 16 / sizeof(Memory);
  using In = Lanes<Memory, double, Blocks<double>>;
  const Blocks<double> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)()), vectors = 4;
  if (sizeof(Memory) == sizeof(int32_t) || columns > most || rows <= few)
    return fold_in_order<Memory, Times>(out, x, columns, rows);
  HWY_ALIGN Memory turned[together * (most + block)] = {};
  // Whole blocks are sooner turned, with some of the next row.
  const std::size_t padded = (columns + block - 1) / block * block;
  HWY_ALIGN double last[together];
  for (std::size_t r = 0; r < rows; r += together) {
    const std::size_t count = std::min(rows - r, together);
    transpose(8 * sizeof(Memory), turned, together, x + r * columns, static_cast<std::ptrdiff_t>(columns),
              r + count + block <= rows ? padded : columns, count);
    double* const to = count == together ? out + r : last;
    for (std::size_t i = 0; i < count; i += vectors * lanes) {
      hn::Vec<decltype(d)> products[vectors];
      for (auto& p : products) p = hn::Set(d, 1.0);
      for (std::size_t j = columns; j-- > 0;) HWY_UNROLL(4)
      for (std::size_t k = 0; k < vectors; k++)
        products[k] = hn::Mul(In::load(turned + j * together + i + k * lanes), products[k]);
      for (std::size_t k = 0; k < vectors; k++) hn::StoreU(products[k], d, to + i + k * lanes);
    }
    if (to == last) std::copy_n(last, count, out + r);
  }
}

// Multiplies in any order as long as most products are small, else from the right.
template <class Memory>
void multiply_integers(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  constexpr std::size_t together = 128;
  constexpr int most_failures = 4;
  double* const out = static_cast<double*>(out_bytes);
  const Memory* const x = static_cast<const Memory*>(x_bytes);
  HWY_ALIGN int32_t small[together];
  std::size_t r = 0;
  // Few rows have been tried as one.
  for (int failures = rows < 8 * together ? most_failures : 0; r < rows && failures < most_failures; r += together) {
    const std::size_t count = std::min(rows - r, together);
    Bounds bounds;
    if (small_products<Memory>(small, x + r * columns, columns, count, bounds)) {
      std::copy_n(small, count, out + r);
    } else {
      multiply_in_order(out + r, x + r * columns, columns, count);
      failures++;
    }
  }
  if (r < rows) multiply_in_order(out + r, x + r * columns, columns, rows - r);
}

struct PairSum {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};
struct PairDifference {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Sub(a, b);
  }
};
struct PairProduct {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Mul(a, b);
  }
};

// Takes the two numbers of a row out of an element of twice their width.
template <class Wide, class Op>
void fold_pairs(void* out_bytes, const void* x_bytes, std::size_t rows) {
  Wide* const out = static_cast<Wide*>(out_bytes);
  const std::uint8_t* const x = static_cast<const std::uint8_t*>(x_bytes);
  std::size_t r = 0;
  constexpr int half = 4 * sizeof(Wide);
  const hn::ScalableTag<Wide> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  for (; r + hn::Lanes(d) <= rows; r += hn::Lanes(d)) {
    const auto pairs = hn::BitCast(d, hn::LoadU(bytes, x + r * sizeof(Wide)));
    hn::StoreU(Op()(hn::ShiftRight<half>(hn::ShiftLeft<half>(pairs)), hn::ShiftRight<half>(pairs)), d, out + r);
  }
  using Narrow = std::conditional_t<sizeof(Wide) == 2, int8_t, int16_t>;
  for (; r < rows; r++) {
    Narrow pair[2];
    std::memcpy(pair, x + r * sizeof(Wide), sizeof pair);
    const Wide first = pair[0], second = pair[1];
    if constexpr (std::is_same_v<Op, PairSum>)
      out[r] = static_cast<Wide>(first + second);
    else if constexpr (std::is_same_v<Op, PairDifference>)
      out[r] = static_cast<Wide>(first - second);
    else
      out[r] = static_cast<Wide>(first * second);
  }
}

const RowFoldKernels* row_fold_kernels() {
  static constexpr RowFoldKernels kernels = {
      .sum = {sums_of_rows<int8_t, false>, sums_of_rows<int16_t, false>, fold_exact<int32_t, double, double, Plus>,
              fold_in_order<double, Plus>},
      .difference = {sums_of_rows<int8_t, true>, sums_of_rows<int16_t, true>, fold_exact<int32_t, double, double, Minus>,
                     fold_in_order<double, Minus>},
      .product = {multiply_integers<int8_t>, multiply_integers<int16_t>, multiply_integers<int32_t>,
                  fold_in_order<double, Times>},
      .small_product = {small_products<int8_t>, small_products<int16_t>, small_products<int32_t>},
      .pair_sums = {fold_pairs<int16_t, PairSum>, fold_pairs<int32_t, PairSum>},
      .pair_differences = {fold_pairs<int16_t, PairDifference>, fold_pairs<int32_t, PairDifference>},
      .pair_products = {fold_pairs<int16_t, PairProduct>, fold_pairs<int32_t, PairProduct>},
      .minimum = {extremes_of_rows<int8_t, false>, extremes_of_rows<int16_t, false>, extremes_of_rows<int32_t, false>,
                  fold_exact<double, double, double, Best<false>>},
      .maximum = {extremes_of_rows<int8_t, true>, extremes_of_rows<int16_t, true>, extremes_of_rows<int32_t, true>,
                  fold_exact<double, double, double, Best<true>>},
  };
  return &kernels;
}

}  // namespace
}  // namespace row_fold_unit
using row_fold_unit::row_fold_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(row_fold_kernels);
const RowFoldKernels& row_fold() { return *HWY_DYNAMIC_DISPATCH(row_fold_kernels)(); }
}  // namespace griddle::kernels
#endif
