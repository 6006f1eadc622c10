#include "primitives/kernels/row_fold.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/row_fold.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "primitives/kernels/across_lanes-inl.h"
#include "primitives/kernels/fold_operations-inl.h"
#include "primitives/kernels/loops-inl.h"
#include "primitives/kernels/transpose.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
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

#if HWY_TARGET != HWY_SCALAR

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

// Sums two or four neighbours to a lane of 32 bits.
template <class Memory>
struct Neighbours {
  using D = Blocks<int32_t>;
  using V = hn::Vec<D>;
  using Narrow = hn::Repartition<Memory, D>;
  static constexpr std::size_t elements = hn::MaxLanes(Narrow());
  explicit Neighbours(std::size_t rest) : keep(hn::VecFromMask(Narrow(), hn::FirstN(Narrow(), rest))) {}
  static HWY_INLINE V load(const Memory* p) { return summed(hn::LoadU(Narrow(), p)); }
  HWY_INLINE V last(const Memory* p) const { return summed(hn::And(hn::LoadU(Narrow(), p), keep)); }
  static HWY_INLINE V summed(hn::Vec<Narrow> v) {
    const hn::Repartition<int16_t, D> middle;
    auto pairs = hn::BitCast(middle, v);
    if constexpr (sizeof(Memory) == 1) pairs = pair_sums(middle, pairs);
    return pair_sums(D(), hn::BitCast(D(), pairs));
  }
  hn::Vec<Narrow> keep;
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
  // Gives the fold of each lane's share of a row.
  const auto by_lanes = [=](const Memory* row, auto last) HWY_ATTR {
    V so_far = last(row + whole);
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
  const std::size_t r = rest == elements ? fold_all([](const Memory* p) HWY_ATTR { return Reader::load(p); })
                                         : fold_all([=](const Memory* p) HWY_ATTR { return reader.last(p); });
  fold_one_by_one<Memory, Compute, Result, Op>(out + r, x + r * columns, columns, rows - r);
}

// Sums rows of at most eight bytes: each is spread to four or eight bytes of its own, of which neighbours are added.
template <class Memory>
void sum_few_bytes(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  const Blocks<int32_t> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  const hn::Repartition<int16_t, decltype(d)> middle;
  constexpr std::size_t blocks = hn::MaxLanes(decltype(d)()) / 4;
  int32_t* const out = static_cast<int32_t*>(out_bytes);
  const std::uint8_t* const x = static_cast<const std::uint8_t*>(x_bytes);
  const std::size_t row = columns * sizeof(Memory), room = row <= 4 ? 4 : 8, in_block = 16 / room, in_vector = blocks * in_block;
  HWY_ALIGN std::uint8_t places[16];
  for (std::size_t k = 0; k < 16; k++) places[k] = static_cast<std::uint8_t>(k % room < row ? k / room * row + k % room : 0x80);
  const auto spread = hn::LoadDup128(bytes, places);
  const auto sums = [=](const std::uint8_t* from) HWY_ATTR {
    const auto rows = [=](auto all) HWY_ATTR {
      if constexpr (blocks == 2)
        return hn::Combine(all, hn::LoadU(hn::Half<decltype(all)>(), from + in_block * row),
                           hn::LoadU(hn::Half<decltype(all)>(), from));
      else
        return hn::LoadU(all, from);
    }(bytes);
    const auto apart = hn::BitCast(middle, hn::TableLookupBytesOr0(rows, spread));
    if constexpr (sizeof(Memory) == 1)
      return pair_sums(d, hn::BitCast(d, pair_sums(middle, apart)));
    else
      return pair_sums(d, hn::BitCast(d, apart));
  };
  // Blocks may reach into the next rows.
  const std::size_t beyond = (16 + row - 1) / row;
  std::size_t r = 0;
  if (room == 4) {
    for (; r + in_vector + beyond <= rows; r += in_vector) hn::StoreU(sums(x + r * row), d, out + r);
  } else {
    const auto halves = [=](const std::uint8_t* from) HWY_ATTR {
      const hn::Repartition<std::uint64_t, decltype(d)> wide;
      const auto two = sums(from);
      return hn::Add(two, hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, two))));
    };
    for (; r + 2 * in_vector + beyond <= rows; r += 2 * in_vector)
      hn::StoreU(hn::ConcatEven(d, halves(x + (r + in_vector) * row), halves(x + r * row)), d, out + r);
  }
  fold_one_by_one<Memory, int32_t, int32_t, Plus>(out + r, static_cast<const Memory*>(x_bytes) + r * columns, columns, rows - r);
}

template <class Memory, class Compute, class Result, class Op>
void fold_exact(void* out, const void* x, std::size_t columns, std::size_t rows) {
  if constexpr (std::is_same_v<Op, Plus> && sizeof(Memory) < sizeof(int32_t))
    if (columns <= 8 / sizeof(Memory)) return sum_few_bytes<Memory>(out, x, columns, rows);
  using ByLane = EachElement<Memory, Compute, Op>;
  if constexpr (std::is_same_v<Op, Plus> && sizeof(Memory) < sizeof(int32_t))
    if (columns > ByLane::elements) return fold_by<Neighbours<Memory>, Memory, Compute, Result, Op>(out, x, columns, rows);
  fold_by<ByLane, Memory, Compute, Result, Op>(out, x, columns, rows);
}

// Folds doubles from the right: four rows (on lesser targets two) are turned to columns in registers, two such groups at a time.
template <class Memory, class Op>
void fold_in_order(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  const Blocks<double> d;
  using In = Lanes<Memory, double, Blocks<double>>;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  double* out = static_cast<double*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
  const auto load_turned = [=](const Memory* from, V* v) HWY_ATTR {
    for (std::size_t k = 0; k < lanes; k++) v[k] = In::load(from + k * columns);
    turn(d, v);
  };
  constexpr std::size_t groups = 2, together = groups * lanes;
  const std::size_t first = columns % lanes;  // columns before those that make whole blocks
  const std::size_t unsafe = first == 0 ? 0 : (lanes - first + columns - 1) / columns;
  const std::size_t safe_rows = rows > unsafe ? rows - unsafe : 0;
  std::size_t r = 0;
  for (; r + together <= safe_rows; r += together) {
    const Memory* from = x + r * columns;
    V so_far[groups], v[lanes];
    for (V& s : so_far) s = hn::Set(d, Op::start);
    for (std::size_t j = columns; j > first;) {
      j -= lanes;
      for (std::size_t g = 0; g < groups; g++) {
        load_turned(from + g * lanes * columns + j, v);
        for (std::size_t k = lanes; k-- > 0;) so_far[g] = Op::in_order(v[k], so_far[g]);
      }
    }
    if (first != 0)
      for (std::size_t g = 0; g < groups; g++) {
        load_turned(from + g * lanes * columns, v);
        for (std::size_t k = first; k-- > 0;) so_far[g] = Op::in_order(v[k], so_far[g]);
      }
    for (std::size_t g = 0; g < groups; g++) hn::StoreU(so_far[g], d, out + r + g * lanes);
  }
  fold_one_by_one<Memory, double, double, Op>(out + r, x + r * columns, columns, rows - r);
}

// Multiplies rows of integers from the right: some rows at a time are turned to columns as they are, which is cheaper than
// turning the doubles that they become.
template <class Memory>
void multiply_integers(void* out_bytes, const void* x_bytes, std::size_t columns, std::size_t rows) {
  constexpr std::size_t together = 64, most = 128, block = 16 / sizeof(Memory);
  using In = Lanes<Memory, double, Blocks<double>>;
  const Blocks<double> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)()), vectors = 4;
  if (columns > most) return fold_in_order<Memory, Times>(out_bytes, x_bytes, columns, rows);
  double* out = static_cast<double*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
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

#else

template <class Memory>
void multiply_integers(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_one_by_one<Memory, double, double, Times>(static_cast<double*>(out), static_cast<const Memory*>(x), columns, rows);
}
template <class Memory, class Compute, class Result, class Op>
void fold_exact(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_one_by_one<Memory, Compute, Result, Op>(static_cast<Result*>(out), static_cast<const Memory*>(x), columns, rows);
}
template <class Memory, class Op>
void fold_in_order(void* out, const void* x, std::size_t columns, std::size_t rows) {
  fold_one_by_one<Memory, double, double, Op>(static_cast<double*>(out), static_cast<const Memory*>(x), columns, rows);
}

#endif

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
#if HWY_TARGET != HWY_SCALAR
  constexpr int half = 4 * sizeof(Wide);
  const hn::ScalableTag<Wide> d;
  const hn::Repartition<std::uint8_t, decltype(d)> bytes;
  for (; r + hn::Lanes(d) <= rows; r += hn::Lanes(d)) {
    const auto pairs = hn::BitCast(d, hn::LoadU(bytes, x + r * sizeof(Wide)));
    hn::StoreU(Op()(hn::ShiftRight<half>(hn::ShiftLeft<half>(pairs)), hn::ShiftRight<half>(pairs)), d, out + r);
  }
#endif
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

const RowFoldKernels* table() {
  using Least = Best<false>;
  using Greatest = Best<true>;
  static constexpr RowFoldKernels kernels = {
      .sum = {fold_exact<int8_t, int32_t, int32_t, Plus>, fold_exact<int16_t, int32_t, int32_t, Plus>,
              fold_exact<int32_t, double, double, Plus>, fold_in_order<double, Plus>},
      .difference = {fold_exact<int8_t, int32_t, int32_t, Minus>, fold_exact<int16_t, int32_t, int32_t, Minus>,
                     fold_exact<int32_t, double, double, Minus>, fold_in_order<double, Minus>},
      .product = {multiply_integers<int8_t>, multiply_integers<int16_t>, fold_in_order<int32_t, Times>,
                  fold_in_order<double, Times>},
      .pair_sums = {fold_pairs<int16_t, PairSum>, fold_pairs<int32_t, PairSum>},
      .pair_differences = {fold_pairs<int16_t, PairDifference>, fold_pairs<int32_t, PairDifference>},
      .pair_products = {fold_pairs<int16_t, PairProduct>, fold_pairs<int32_t, PairProduct>},
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
