#include "primitives/kernels/reduce.h"

#define HWY_WANT_AVX3_DL
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/reduce.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <limits>

#include "hwy/highway.h"
#include "primitives/kernels/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;

// --- sums of integers

template <class V, class D>
HWY_INLINE hn::TFromD<D> lane_sum(D d, V v) {
  return hn::GetLane(hn::SumOfLanes(d, v));
}

// Loads the last n of the elements before `end`, fewer than a vector, of at least as many as a vector has; other lanes are 0.
template <class D>
HWY_INLINE hn::Vec<D> load_last(D d, const hn::TFromD<D>* end, std::size_t n) {
  const std::size_t lanes = hn::Lanes(d);
  return hn::IfThenZeroElse(hn::FirstN(d, lanes - n), hn::LoadU(d, end - lanes));
}

// Sums fewer elements than a vector has, by a function of whole vectors. Stands apart, so that longer lists need no room for
// them.
template <class T, int64_t (*sum)(const void*, std::size_t)>
HWY_NOINLINE int64_t sum_few(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  HWY_ALIGN T part[hn::MaxLanes(d)] = {};
  if (n >= hn::MaxLanes(d)) __builtin_unreachable();  // says it to the compiler, which does not see the caller
  copy_few(part, x, n * sizeof(T));
  return n == 0 ? 0 : sum(part, hn::Lanes(d));
}

#if HWY_TARGET != HWY_SCALAR
// Adds neighbouring bytes.
template <class D>
HWY_INLINE hn::Vec<D> sums_of_bytes([[maybe_unused]] D d, hn::Vec<hn::Repartition<int8_t, D>> bytes) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::Vec<D>{_mm512_maddubs_epi16(_mm512_set1_epi8(1), bytes.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<D>{_mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes.raw)};
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return hn::Vec<D>{_mm_maddubs_epi16(_mm_set1_epi8(1), bytes.raw)};
#else
  const auto both = hn::BitCast(d, bytes);
  return hn::Add(hn::ShiftRight<8>(both), hn::ShiftRight<8>(hn::ShiftLeft<8>(both)));
#endif
}
#endif

int64_t sum_i8(const void* bytes, std::size_t n) {
  const int8_t* x = static_cast<const int8_t*>(bytes);
  int64_t sum = 0;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < n; i++) sum += x[i];
#else
  const hn::ScalableTag<int8_t> d;
  const hn::Repartition<int16_t, decltype(d)> wide;
  const hn::Repartition<int32_t, decltype(d)> wider;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  if (n < lanes) return sum_few<int8_t, sum_i8>(x, n);
  const auto one = hn::Set(wide, 1);
  // So many that two of the four sums together, of at most 125 pairs, stay within 16 bits.
  constexpr std::size_t stretch = 240 * lanes;
  for (std::size_t i = 0; i < n;) {
    const std::size_t end = i + std::min((n - i) / lanes * lanes, stretch);
    auto sum0 = hn::Zero(wide), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    const auto add = [wide](auto v, auto& to) HWY_ATTR { to = kept(hn::Add(sums_of_bytes(wide, v), to)); };
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      add(hn::LoadU(d, x + i), sum0);
      add(hn::LoadU(d, x + i + lanes), sum1);
      add(hn::LoadU(d, x + i + 2 * lanes), sum2);
      add(hn::LoadU(d, x + i + 3 * lanes), sum3);
    }
    for (; i < end; i += lanes) add(hn::LoadU(d, x + i), sum0);
    if (n - i < lanes && n != i) {
      add(load_last(d, x + n, n - i), sum1);
      i = n;
    }
    auto unused = hn::Zero(wider);
    auto total = hn::Zero(wider);
    for (const auto part : {hn::Add(sum0, sum1), hn::Add(sum2, sum3)})
      total = hn::ReorderWidenMulAccumulate(wider, part, one, total, unused);
    sum += lane_sum(wider, hn::Add(total, unused));
  }
#endif
  return sum;
}

int64_t sum_i16(const void* bytes, std::size_t n) {
  const int16_t* x = static_cast<const int16_t*>(bytes);
  int64_t sum = 0;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < n; i++) sum += x[i];
#else
  const hn::ScalableTag<int16_t> d;
  const hn::RepartitionToWide<decltype(d)> wide;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  if (n < lanes) return sum_few<int16_t, sum_i16>(x, n);
  const auto one = hn::Set(d, 1);
  // So many that all of them together stay within 32 bits.
  constexpr std::size_t stretch = std::size_t{1} << 15;
  for (std::size_t i = 0; i < n;) {
    const std::size_t end = i + std::min((n - i) / lanes * lanes, stretch);
    auto sum0 = hn::Zero(wide), sum1 = sum0, sum2 = sum0, sum3 = sum0, other = sum0;
    const auto add = [&](auto v, auto& to) HWY_ATTR { to = kept(hn::ReorderWidenMulAccumulate(wide, v, one, to, other)); };
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      add(hn::LoadU(d, x + i), sum0);
      add(hn::LoadU(d, x + i + lanes), sum1);
      add(hn::LoadU(d, x + i + 2 * lanes), sum2);
      add(hn::LoadU(d, x + i + 3 * lanes), sum3);
    }
    for (; i < end; i += lanes) add(hn::LoadU(d, x + i), sum0);
    if (n - i < lanes && n != i) {
      add(load_last(d, x + n, n - i), sum1);
      i = n;
    }
    sum += lane_sum(wide, hn::Add(hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)), other));
  }
#endif
  return sum;
}

// Sums the upper halves of elements, and whole elements as far as 32 bits go: the difference is what the lower halves add up to.
int64_t sum_i32(const void* bytes, std::size_t n) {
  const int32_t* x = static_cast<const int32_t*>(bytes);
  int64_t sum = 0;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < n; i++) sum += x[i];
#else
  const hn::ScalableTag<int32_t> d;
  const hn::RebindToUnsigned<decltype(d)> ud;
  const hn::Repartition<int64_t, decltype(d)> wide;
  const hn::Repartition<uint64_t, decltype(d)> unsigned_wide;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  if (n < lanes) return sum_few<int32_t, sum_i32>(x, n);
  for (std::size_t i = 0; i < n;) {
    // So many that each sum of halves stays within 32 bits, also where two of them meet.
    const std::size_t end = i + std::min((n - i) / lanes, std::size_t{1} << 14) * lanes;
    auto whole0 = hn::Zero(d), whole1 = whole0, upper0 = whole0, upper1 = whole0;
    const auto add = [](auto loaded, auto& whole, auto& upper) HWY_ATTR {
      const auto v = kept(loaded);
      whole = kept(hn::Add(whole, v));
      upper = kept(hn::Add(upper, hn::ShiftRight<16>(v)));
    };
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      add(hn::LoadU(d, x + i), whole0, upper0);
      add(hn::LoadU(d, x + i + lanes), whole1, upper1);
      add(hn::LoadU(d, x + i + 2 * lanes), whole0, upper0);
      add(hn::LoadU(d, x + i + 3 * lanes), whole1, upper1);
    }
    for (; i < end; i += lanes) add(hn::LoadU(d, x + i), whole0, upper0);
    if (n - i < lanes && n != i) {
      add(load_last(d, x + n, n - i), whole1, upper1);
      i = n;
    }
    const auto upper = hn::Add(upper0, upper1), lower = hn::Sub(hn::Add(whole0, whole1), hn::ShiftLeft<16>(upper));
    // Widens even and odd lanes: signed ones, and ones that are not.
    const auto upper_pairs = hn::BitCast(wide, upper);
    const auto lower_pairs = hn::BitCast(unsigned_wide, hn::BitCast(ud, lower));
    const auto uppers = hn::Add(hn::ShiftRight<32>(upper_pairs), hn::ShiftRight<32>(hn::ShiftLeft<32>(upper_pairs)));
    const auto lowers = hn::Add(hn::ShiftRight<32>(lower_pairs), hn::ShiftRight<32>(hn::ShiftLeft<32>(lower_pairs)));
    sum += lane_sum(wide, hn::Add(hn::ShiftLeft<16>(uppers), hn::BitCast(wide, lowers)));
  }
#endif
  return sum;
}

// --- extremes

template <class T, bool greatest>
T extreme_one_by_one(const T* x, std::size_t n) {
  T best = x[0];
  for (std::size_t i = 0; i < n; i++) {
    if (x[i] != x[i]) return x[i];
    if (greatest ? x[i] > best : x[i] < best) best = x[i];
  }
  return best;
}

// Folds the lanes of a vector by halves.
template <class D, class V, class Better>
HWY_INLINE hn::TFromD<D> extreme_of_lanes(D d, V v, Better better) {
#if HWY_TARGET == HWY_SCALAR
  (void)d, (void)better;
  return hn::GetLane(v);
#else
  if constexpr (sizeof(V) > 16) {
    const hn::Half<D> half;
    return extreme_of_lanes(half, better(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), better);
  } else {
    constexpr std::size_t size = sizeof(hn::TFromD<D>);
    const hn::Repartition<uint8_t, D> bytes;
    v = better(v, hn::BitCast(d, hn::ShiftRightBytes<8>(bytes, hn::BitCast(bytes, v))));
    if constexpr (size <= 4) v = better(v, hn::BitCast(d, hn::ShiftRightBytes<4>(bytes, hn::BitCast(bytes, v))));
    if constexpr (size <= 2) v = better(v, hn::BitCast(d, hn::ShiftRightBytes<2>(bytes, hn::BitCast(bytes, v))));
    if constexpr (size == 1) v = better(v, hn::BitCast(d, hn::ShiftRightBytes<1>(bytes, hn::BitCast(bytes, v))));
    return hn::GetLane(v);
  }
#endif
}

// Tells whether there is one among at least as many elements as a vector has.
template <class T>
bool has_nan(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto is_number = [d](const T* from) HWY_ATTR {
    const auto v = hn::LoadU(d, from);
    return hn::AllTrue(d, hn::Eq(v, v));
  };
  for (std::size_t i = 0; i + lanes <= n; i += lanes)
    if (!is_number(x + i)) return true;
  return !is_number(x + n - lanes);
}

template <class T, bool greatest>
HWY_INLINE T extreme_of_list(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto better = [](auto a, auto b) HWY_ATTR { return greatest ? hn::Max(a, b) : hn::Min(a, b); };
  if (n < lanes) return extreme_one_by_one<T, greatest>(x, n);
  // Leaves NaNs aside: a sum of products that is NaN tells that there may be some, or infinities. Products and extremes do not
  // share ports, and one takes two vectors.
  [[maybe_unused]] auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  auto best0 = hn::LoadU(d, x + n - lanes), best1 = best0, best2 = best0, best3 = best0;
  const auto watch = [&](auto v) HWY_ATTR {
    if constexpr (std::is_floating_point_v<T>) sum0 = hn::MulAdd(v, v, sum0);
  };
  watch(best0);
  std::size_t i = 0;
  for (; i + 8 * lanes <= n; i += 8 * lanes) {
    const T* from = x + i;
    const auto at = [=](std::size_t k) HWY_ATTR {
      const auto v = hn::LoadU(d, from + k * lanes);
      if constexpr (std::is_floating_point_v<T>)
        return kept(v);
      else
        return v;
    };
    const auto v0 = at(0), v1 = at(1), v2 = at(2), v3 = at(3), v4 = at(4), v5 = at(5), v6 = at(6), v7 = at(7);
    if constexpr (std::is_floating_point_v<T>) {
      sum0 = hn::MulAdd(v0, v1, sum0);
      sum1 = hn::MulAdd(v2, v3, sum1);
      sum2 = hn::MulAdd(v4, v5, sum2);
      sum3 = hn::MulAdd(v6, v7, sum3);
    }
    best0 = better(better(best0, v0), v4);
    best1 = better(better(best1, v1), v5);
    best2 = better(better(best2, v2), v6);
    best3 = better(better(best3, v3), v7);
  }
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    watch(v);
    best0 = better(best0, v);
  }
  best0 = better(better(best0, best1), better(best2, best3));
  if constexpr (std::is_floating_point_v<T>) {
    const auto sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
    if (!hn::AllTrue(d, hn::Eq(sum, sum)) && has_nan(x, n)) return extreme_one_by_one<T, greatest>(x, n);
  }
  return extreme_of_lanes(d, best0, better);
}

template <class T, bool greatest>
void extreme(void* out, const void* x, std::size_t n) {
  *static_cast<T*>(out) = extreme_of_list<T, greatest>(static_cast<const T*>(x), n);
}
template <class T, bool greatest>
double fold_extreme(const void* x, std::size_t n) {
  return static_cast<double>(extreme_of_list<T, greatest>(static_cast<const T*>(x), n));
}
template <int64_t (*sum)(const void*, std::size_t)>
double fold_sum(const void* x, std::size_t n) {
  return static_cast<double>(sum(x, n));
}

void product_f64(const double* x, std::size_t n, double& product, double& size) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1.0);
  auto product0 = one, product1 = one, size0 = one, size1 = one;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + i + lanes);
    product0 = hn::Mul(product0, a);
    product1 = hn::Mul(product1, b);
    size0 = hn::Mul(size0, hn::Max(hn::Abs(a), one));
    size1 = hn::Mul(size1, hn::Max(hn::Abs(b), one));
  }
  HWY_ALIGN double products[hn::MaxLanes(d)], sizes[hn::MaxLanes(d)];
  hn::Store(hn::Mul(product0, product1), d, products);
  hn::Store(hn::Mul(size0, size1), d, sizes);
  for (std::size_t k = 0; k < lanes; k++) {
    product *= products[k];
    size *= sizes[k];
  }
  for (; i < n; i++) {
    product *= x[i];
    const double a = x[i] < 0 ? -x[i] : x[i];
    size *= a > 1 ? a : 1;
  }
}

// --- rows onto rows

template <bool greatest>
struct Best {
  static constexpr bool is_exact = true;
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return extreme_of<greatest>(a, b);
  }
};
using Least = Best<false>;
using Greatest = Best<true>;
template <bool exact>
struct Sum {
  static constexpr bool is_exact = exact;  // in any order
  template <class V>
  static HWY_INLINE V of(V a, V b) {
    return hn::Add(a, b);
  }
};

using Plus = Sum<true>;
using OrderedPlus = Sum<false>;

// Folds vectors that hold whole rows, in any order.
template <class In, class Op>
HWY_INLINE void fold_rows_in_vectors(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows,
                                     std::size_t columns) {
  const typename In::D d;
  using Result = hn::TFromD<typename In::D>;
  const std::size_t lanes = In::count(), n = rows * columns;
  auto a = In::load(x), b = a, c = a, e = a;
  std::size_t i = 0;
  if (n >= 5 * lanes) {
    b = In::load(x + lanes);
    c = In::load(x + 2 * lanes);
    e = In::load(x + 3 * lanes);
    for (i = 4 * lanes; i + 4 * lanes <= n; i += 4 * lanes) {
      a = Op::of(In::load(x + i), a);
      b = Op::of(In::load(x + i + lanes), b);
      c = Op::of(In::load(x + i + 2 * lanes), c);
      e = Op::of(In::load(x + i + 3 * lanes), e);
    }
    a = Op::of(Op::of(a, b), Op::of(c, e));
  } else {
    i = lanes;
  }
  for (; i + lanes <= n; i += lanes) a = Op::of(In::load(x + i), a);
  HWY_ALIGN Result folded[hn::MaxLanes(typename In::D())];
  hn::Store(a, d, folded);
  const hn::CappedTag<Result, 1> one;
  const auto onto = [&](std::size_t j, auto v) HWY_ATTR { hn::StoreU(Op::of(v, hn::LoadU(one, folded + j)), one, folded + j); };
  for (std::size_t k = columns; k < lanes; k++) onto(k % columns, hn::LoadU(one, folded + k));
  for (; i < n; i++) onto(i % columns, hn::Set(one, static_cast<Result>(x[i])));
  std::memcpy(out, folded, columns * sizeof(Result));
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
  HWY_UNROLL(8)
  for (std::size_t k = 0; k < vectors; k++) so_far[k] = from_end ? In::load(row + column(k)) : hn::LoadU(d, out + column(k));
  for (std::size_t r = from_end ? rows - 1 : rows; r-- > 0;) {
    row -= stride;
    HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) so_far[k] = Op::of(In::load(row + column(k)), so_far[k]);
  }
  HWY_UNROLL(8) for (std::size_t k = 0; k < vectors; k++) hn::StoreU(so_far[k], d, out + column(k));
}

// Folds at least as many columns as a vector has lanes.
template <class In, class Op>
void fold_in_strips(hn::TFromD<typename In::D>* out, const typename In::Memory* x, std::size_t rows, std::size_t columns) {
  const std::size_t lanes = In::count(), rest = columns % lanes;
  if (columns <= 16 * lanes || rows <= 16) {
    // Farther memory is better read in shorter pieces.
    const bool near = rows * columns * sizeof(typename In::Memory) <= std::size_t{1} << 15;
    // The last strip may begin before the end of the one before it, and the last vector of a strip likewise.
    for (std::size_t j = 0; j != columns;) {
      const std::size_t left = columns - j;
      const auto strip = [&]<std::size_t vectors>(std::integral_constant<std::size_t, vectors>) HWY_ATTR {
        const std::size_t start = left >= lanes ? j : columns - lanes, width = std::min(columns - start, vectors * lanes);
        fold_strip<In, Op, vectors>(out + start, x + start, rows, columns, width - lanes, true);
        j = start + width;
      };
      if (left > 7 * lanes && near)
        strip(std::integral_constant<std::size_t, 8>());
      else if (left > 3 * lanes)
        strip(std::integral_constant<std::size_t, 4>());
      else if (left > 2 * lanes)
        strip(std::integral_constant<std::size_t, 3>());
      else if (left > lanes)
        strip(std::integral_constant<std::size_t, 2>());
      else
        strip(std::integral_constant<std::size_t, 1>());
    }
    return;
  }
  // Many wide rows are taken some at a time, so that memory is read in order.
  constexpr std::size_t height = 12;
  // The last columns make a vector with some that the strips fold as well.
  const typename In::D d;
  auto kept = hn::Zero(d);
  for (std::size_t end = rows; end > 0;) {
    const bool from_end = end == rows;
    const std::size_t count = std::min(end, height);
    end -= count;
    const typename In::Memory* from = x + end * columns;
    if (rest != 0) {
      if (!from_end) hn::StoreU(kept, d, out + columns - lanes);
      fold_strip<In, Op, 1>(out + columns - lanes, from + columns - lanes, count, columns, 0, from_end);
      kept = hn::LoadU(d, out + columns - lanes);
    }
    const auto strip = [&]<std::size_t vectors>(std::integral_constant<std::size_t, vectors>, std::size_t j) HWY_ATTR {
      fold_strip<In, Op, vectors>(out + j, from + j, count, columns, (vectors - 1) * lanes, from_end);
      return j + vectors * lanes;
    };
    std::size_t j = 0;
    while (j + 4 * lanes <= columns) j = strip(std::integral_constant<std::size_t, 4>(), j);
    while (j + 2 * lanes <= columns) j = strip(std::integral_constant<std::size_t, 2>(), j);
    while (j + lanes <= columns) j = strip(std::integral_constant<std::size_t, 1>(), j);
  }
  if (rest != 0) hn::StoreU(kept, d, out + columns - lanes);
}

// Takes vectors of at most `bytes`, smaller ones where rows are shorter.
template <class Memory, class Result, class Op, std::size_t bytes = 64>
void fold_columns(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  Result* out = static_cast<Result*>(out_bytes);
  const Memory* x = static_cast<const Memory*>(x_bytes);
#if HWY_TARGET == HWY_SCALAR
  fold_in_strips<Lanes<Memory, Result>, Op>(out, x, rows, columns);
#else
  using In = Lanes<Memory, Result, hn::CappedTag<Result, bytes / sizeof(Result)>>;
  if constexpr (Op::is_exact && bytes == 64)
    if (const std::size_t lanes = In::count(); lanes % columns == 0 && rows * columns >= lanes)
      return fold_rows_in_vectors<In, Op>(out, x, rows, columns);
  if constexpr (bytes > sizeof(Result))
    if (columns < In::count()) return fold_columns<Memory, Result, Op, bytes / 2>(out, x, rows, columns);
  fold_in_strips<In, Op>(out, x, rows, columns);
#endif
}

#if HWY_TARGET != HWY_SCALAR

// Calls strip(number of vectors, first column, first column of the last vector) so that strips cover all columns, at least as
// many as a vector has lanes.
template <class Strip>
HWY_INLINE void each_strip(std::size_t lanes, std::size_t columns, Strip strip) {
  std::size_t j = 0;
  for (; columns - j > 4 * lanes; j += 4 * lanes) strip(std::integral_constant<std::size_t, 4>(), j, j + 3 * lanes);
  const std::size_t last = columns - lanes;
  if (columns - j > 3 * lanes)
    strip(std::integral_constant<std::size_t, 4>(), j, last);
  else if (columns - j > 2 * lanes)
    strip(std::integral_constant<std::size_t, 3>(), j, last);
  else if (columns - j > lanes)
    strip(std::integral_constant<std::size_t, 2>(), j, last);
  else
    strip(std::integral_constant<std::size_t, 1>(), last, last);
}

// Sums elements of two rows at a time to twice their width: interleaved, they are neighbours.
template <class T, class Sum>
void sum_in_pairs(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  const hn::CappedTag<T, 32 / sizeof(T)> d;
  const hn::Repartition<Sum, decltype(d)> wide;
  using V = hn::Vec<decltype(wide)>;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  Sum* out = static_cast<Sum*>(out_bytes);
  const T* x = static_cast<const T*>(x_bytes);
  if (columns < lanes) return fold_columns<T, Sum, Plus>(out, x, rows, columns);
  const auto pair_sums = [=](auto v) HWY_ATTR {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    if constexpr (sizeof(T) == 1)
      return V{_mm256_maddubs_epi16(_mm256_set1_epi8(1), v.raw)};
    else
      return V{_mm256_madd_epi16(v.raw, _mm256_set1_epi16(1))};
#else
    constexpr int bits = 8 * sizeof(T);
    const auto both = hn::BitCast(wide, v);
    return hn::Add(hn::ShiftRight<bits>(both), hn::ShiftRight<bits>(hn::ShiftLeft<bits>(both)));
#endif
  };
  each_strip(lanes, columns, [=](auto number, std::size_t begin, std::size_t last) HWY_ATTR {
    constexpr std::size_t vectors = decltype(number)::value;
    const auto column = [=](std::size_t k) HWY_ATTR { return k == vectors - 1 ? last : begin + k * lanes; };
    V lower[vectors], upper[vectors];
    HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) lower[k] = upper[k] = hn::Zero(wide);
    const auto add = [&](std::size_t k, auto first, auto second) HWY_ATTR {
      lower[k] = hn::Add(lower[k], pair_sums(hn::InterleaveLower(d, first, second)));
      upper[k] = hn::Add(upper[k], pair_sums(hn::InterleaveUpper(d, first, second)));
    };
    const T* row = x;
    for (std::size_t r = 0; r + 2 <= rows; r += 2, row += 2 * columns) HWY_UNROLL(4)
    for (std::size_t k = 0; k < vectors; k++)
      add(k, kept(hn::LoadU(d, row + column(k))), kept(hn::LoadU(d, row + columns + column(k))));
    HWY_UNROLL(4) for (std::size_t k = 0; k < vectors; k++) {
      if (rows % 2 != 0) add(k, hn::LoadU(d, row + column(k)), hn::Zero(d));
      Sum* const to = out + column(k);
      if constexpr (sizeof(V) == 32) {
        hn::StoreU(hn::ConcatLowerLower(wide, upper[k], lower[k]), wide, to);
        hn::StoreU(hn::ConcatUpperUpper(wide, upper[k], lower[k]), wide, to + lanes / 2);
      } else {
        hn::StoreU(lower[k], wide, to);
        hn::StoreU(upper[k], wide, to + lanes / 2);
      }
    }
  });
}

// Sums i32 to doubles, at most 2^16 rows: by what whole elements give in 32 bits, and by what their upper halves give, from which
// that of the lower halves follows. Both stand in the place of the results until the last.
template <std::size_t bytes = 64>
void sum_i32_columns(void* out_bytes, const void* x_bytes, std::size_t rows, std::size_t columns) {
  const hn::CappedTag<int32_t, bytes / 4> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const int32_t* x = static_cast<const int32_t*>(x_bytes);
  if constexpr (bytes > 16)
    if (columns < lanes) return sum_i32_columns<bytes / 2>(out_bytes, x_bytes, rows, columns);
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

#else

template <class T, class Sum>
constexpr auto sum_in_pairs = fold_columns<T, Sum, Plus>;
template <std::size_t = 64>
constexpr auto sum_i32_columns = fold_columns<int32_t, double, Plus>;

#endif

// Sums columns of i32 as such; false where a sum of a column, or of its last rows, does not fit.
bool checked_sum_columns(int32_t* out, const int32_t* x, std::size_t rows, std::size_t columns) {
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

void count_columns(int32_t* out, const uint64_t* bits, std::size_t rows, std::size_t words) {
  const hn::ScalableTag<uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto one = hn::Set(d, 1);
  HWY_ALIGN uint8_t counts[64];
  for (std::size_t j = 0; j < words; j++) {
    int32_t* to = out + 64 * j;
    for (std::size_t k = 0; k < 64; k++) to[k] = 0;
    for (std::size_t r = 0; r < rows;) {
      const std::size_t end = r + (rows - r < 255 ? rows - r : 255);
      std::memset(counts, 0, sizeof counts);
      for (; r < end; r++) {
        const uint64_t word = bits[r * words + j];
        for (std::size_t k = 0; k < 64; k += lanes) {
          const uint64_t part = word >> k;
          const auto set = hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&part));
          hn::Store(hn::Add(hn::Load(d, counts + k), hn::IfThenElseZero(set, one)), d, counts + k);
        }
      }
      for (std::size_t k = 0; k < 64; k++) to[k] += counts[k];
    }
  }
}

const ReduceKernels* table() {
  static constexpr ReduceKernels kernels = {
      .fold_sum = {fold_sum<sum_i8>, fold_sum<sum_i16>, fold_sum<sum_i32>},
      .fold_minimum = {fold_extreme<int8_t, false>, fold_extreme<int16_t, false>, fold_extreme<int32_t, false>,
                       fold_extreme<double, false>},
      .fold_maximum = {fold_extreme<int8_t, true>, fold_extreme<int16_t, true>, fold_extreme<int32_t, true>,
                       fold_extreme<double, true>},
      .sum = {sum_i8, sum_i16, sum_i32},
      .minimum = {extreme<int8_t, false>, extreme<int16_t, false>, extreme<int32_t, false>, extreme<double, false>},
      .maximum = {extreme<int8_t, true>, extreme<int16_t, true>, extreme<int32_t, true>, extreme<double, true>},
      .product_f64 = product_f64,
      .sum_columns = {fold_columns<int8_t, int32_t, Plus>, sum_in_pairs<int16_t, int32_t>, sum_i32_columns<>,
                      fold_columns<double, double, OrderedPlus>},
      .sum_columns_i16 = sum_in_pairs<int8_t, int16_t>,
      .checked_sum_columns = checked_sum_columns,
      .minimum_columns = {fold_columns<int8_t, int8_t, Least>, fold_columns<int16_t, int16_t, Least>,
                          fold_columns<int32_t, int32_t, Least>, fold_columns<double, double, Least>},
      .maximum_columns = {fold_columns<int8_t, int8_t, Greatest>, fold_columns<int16_t, int16_t, Greatest>,
                          fold_columns<int32_t, int32_t, Greatest>, fold_columns<double, double, Greatest>},
      .count_columns = count_columns,
  };
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const ReduceKernels& reduce() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
