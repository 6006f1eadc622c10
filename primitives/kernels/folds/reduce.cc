#include "primitives/kernels/folds/reduce.h"

#include <algorithm>
#include <numeric>

#include "hwy/highway.h"
#include "primitives/kernels/folds/fold_operations-inl.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace reduce_unit {
namespace {

using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint64_t, std::uint8_t;

// --- sums of integers

template <class D>
HWY_INLINE hn::TFromD<D> lane_sum(D d, hn::Vec<D> v) {
  return hn::GetLane(hn::SumOfLanes(d, v));
}

// Sums vectors in parts that do not wait for each other; `most` of them before the total is taken.
template <class T>
struct Sums;

template <>
struct Sums<int8_t> {
  static constexpr std::size_t most = 240;  // two sums together, of at most 125 pairs, stay within 16 bits
  using D = hn::ScalableTag<int8_t>;
  using Wide = hn::Repartition<int16_t, D>;
  HWY_INLINE Sums() { of[0] = of[1] = of[2] = of[3] = hn::Zero(Wide()); }
  template <int k>
  HWY_INLINE void add(hn::Vec<D> v) {
    of[k] = hn::Add(pair_sums(Wide(), hn::BitCast(Wide(), v)), of[k]);
  }
  HWY_INLINE int64_t total() const {
    const hn::Repartition<int32_t, D> wider;
    return lane_sum(wider, hn::Add(pair_sums(wider, hn::BitCast(wider, hn::Add(of[0], of[1]))),
                                   pair_sums(wider, hn::BitCast(wider, hn::Add(of[2], of[3])))));
  }
  hn::Vec<Wide> of[4];
};

template <>
struct Sums<int16_t> {
  using D = hn::ScalableTag<int16_t>;
  using Wide = hn::RepartitionToWide<D>;
  static constexpr std::size_t most = (std::size_t{1} << 15) / hn::MaxLanes(D());  // all of them stay within 32 bits
  HWY_INLINE Sums() { of[0] = of[1] = of[2] = of[3] = other = hn::Zero(Wide()); }
  template <int k>
  HWY_INLINE void add(hn::Vec<D> v) {
    of[k] = kept(hn::ReorderWidenMulAccumulate(Wide(), v, hn::Set(D(), 1), of[k], other));
  }
  HWY_INLINE int64_t total() const {
    return lane_sum(Wide(), hn::Add(hn::Add(hn::Add(of[0], of[1]), hn::Add(of[2], of[3])), other));
  }
  hn::Vec<Wide> of[4], other;
};

// Sums the upper halves of elements, and whole elements as far as 32 bits go: the difference is what the lower halves add up to.
template <>
struct Sums<int32_t> {
  static constexpr std::size_t most = std::size_t{1} << 14;  // sums of halves stay within 32 bits, also where two of them meet
  using D = hn::ScalableTag<int32_t>;
  HWY_INLINE Sums() { whole[0] = whole[1] = upper[0] = upper[1] = hn::Zero(D()); }
  template <int k>
  HWY_INLINE void add(hn::Vec<D> loaded) {
    const auto v = kept(loaded);
    whole[k % 2] = kept(hn::Add(whole[k % 2], v));
    upper[k % 2] = kept(hn::Add(upper[k % 2], hn::ShiftRight<16>(v)));
  }
  HWY_INLINE int64_t total() const {
    const hn::RebindToUnsigned<D> unsigned_lanes;
    const hn::Repartition<int64_t, D> wide;
    const hn::Repartition<uint64_t, D> unsigned_wide;
    const auto uppers = hn::Add(upper[0], upper[1]), lowers = hn::Sub(hn::Add(whole[0], whole[1]), hn::ShiftLeft<16>(uppers));
    // Widens even and odd lanes: signed ones, and ones that are not.
    const auto upper_pairs = hn::BitCast(wide, uppers);
    const auto lower_pairs = hn::BitCast(unsigned_wide, hn::BitCast(unsigned_lanes, lowers));
    const auto upper_sums = hn::Add(hn::ShiftRight<32>(upper_pairs), hn::ShiftRight<32>(hn::ShiftLeft<32>(upper_pairs)));
    const auto lower_sums = hn::Add(hn::ShiftRight<32>(lower_pairs), hn::ShiftRight<32>(hn::ShiftLeft<32>(lower_pairs)));
    return lane_sum(wide, hn::Add(hn::ShiftLeft<16>(upper_sums), hn::BitCast(wide, lower_sums)));
  }
  hn::Vec<D> whole[2], upper[2];
};

// Sums fewer elements than a vector has. Stands apart, so that longer lists need no room for them.
template <class T>
HWY_NOINLINE int64_t sum_few(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  if (n >= hn::MaxLanes(d)) __builtin_unreachable();  // says it to the compiler, which does not see the caller
  if (n == 0) return 0;
  Sums<T> sums;
  sums.template add<0>(hn::IfThenElseZero(hn::FirstN(d, n), load_few<Lanes<T>>(x, n)));
  return sums.total();
}

// Sums 1 to 16 bytes of elements in words.
template <class T>
HWY_INLINE int64_t sum_in_words(const T* x, std::size_t n) {
  using Few = FewLanes<Lanes<T>>;
  const typename Few::D d;
  const auto v = hn::IfThenElseZero(hn::FirstN(d, n), load_words<Few>(x, n));
  if constexpr (sizeof(T) == 1) {
    // As unsigned numbers, each 128 more.
    const hn::Repartition<std::uint8_t, typename Few::D> bytes;
    const hn::Repartition<std::uint64_t, typename Few::D> wide;
    const auto sums = hn::SumsOf8(hn::Xor(hn::BitCast(bytes, v), hn::Set(bytes, 128)));
    return static_cast<int64_t>(hn::GetLane(hn::SumOfLanes(wide, sums))) - 16 * 128;
  } else if constexpr (sizeof(T) == 2) {
    const hn::Repartition<std::int32_t, typename Few::D> wide;
    const auto odd = hn::ShiftRight<16>(hn::BitCast(wide, v)), even = hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(wide, v)));
    return hn::GetLane(hn::SumOfLanes(wide, hn::Add(odd, even)));
  } else {
    const hn::Repartition<std::int64_t, typename Few::D> wide;
    const auto pairs = hn::BitCast(wide, v);
    return hn::GetLane(hn::SumOfLanes(wide, hn::Add(hn::ShiftRight<32>(pairs), hn::ShiftRight<32>(hn::ShiftLeft<32>(pairs)))));
  }
}

template <class T>
int64_t sum(const void* bytes, std::size_t n) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const T* x = static_cast<const T*>(bytes);
  if (n - 1 < FewLanes<Lanes<T>>::count() && in_words(x)) return sum_in_words(x, n);
  if (n < lanes) return sum_few(x, n);
  int64_t total = 0;
  for (std::size_t i = 0; i < n;) {
    const std::size_t count = std::min((n - i) / lanes, Sums<T>::most), end = i + count * lanes;
    Sums<T> sums;
    for (const std::size_t first = i + count % 4 * lanes; i != first; i += lanes) sums.template add<0>(hn::LoadU(d, x + i));
    for (; i != end; i += 4 * lanes) {
      sums.template add<0>(hn::LoadU(d, x + i));
      sums.template add<1>(hn::LoadU(d, x + i + lanes));
      sums.template add<2>(hn::LoadU(d, x + i + 2 * lanes));
      sums.template add<3>(hn::LoadU(d, x + i + 3 * lanes));
    }
    if (n - i < lanes && n != i) {
      // The elements that are left end a vector of which the others count as 0.
      sums.template add<1>(hn::IfThenZeroElse(hn::FirstN(d, lanes - (n - i)), hn::LoadU(d, x + n - lanes)));
      i = n;
    }
    total += sums.total();
  }
  return total;
}

// --- extremes

// Those of lists leave NaNs aside, but for the last: that is what a fold from the right gives.
template <class T, bool greatest>
T extreme_one_by_one(const T* x, std::size_t n) {
  T best = Best<greatest>::template neutral<T>();
  for (std::size_t i = 0; i < n; i++) best = Best<greatest>::of_two(x[i], best);
  return best;
}

// Folds at least as many elements as a vector has lanes, in so many parts that do not wait for each other.
template <bool greatest, std::size_t parts, class D, class T = hn::TFromD<D>>
HWY_INLINE T extreme_by_parts(D d, const T* x, std::size_t n) {
  constexpr std::size_t lanes = hn::MaxLanes(D()), together = 8;
  const auto better = [](auto v, auto so_far) HWY_ATTR { return extreme_of<greatest>(v, so_far); };
  hn::Vec<D> best[parts];
  HWY_UNROLL(8) for (auto& each : best) each = begun<Best<greatest>>(d, hn::LoadU(d, x + n - lanes));
  std::size_t i = 0;
  for (; i + together * lanes <= n; i += together * lanes) HWY_UNROLL(8)
  for (std::size_t k = 0; k < together; k++) best[k % parts] = better(hn::LoadU(d, x + i + k * lanes), best[k % parts]);
  for (; i + lanes <= n; i += lanes) best[0] = better(hn::LoadU(d, x + i), best[0]);
  for (std::size_t k = parts / 2; k > 0; k /= 2)
    HWY_UNROLL(4) for (std::size_t j = 0; j < k; j++) best[j] = better(best[j], best[j + k]);
  return fold_of_lanes(d, best[0], better);
}

// The last of fewer elements than a vector has counts again in the lanes behind it.
template <class T, bool greatest>
HWY_INLINE T extreme_of_few(const T* x, std::size_t n) {
  const auto better = [](auto v, auto so_far) HWY_ATTR { return extreme_of<greatest>(v, so_far); };
  using Few = FewLanes<Lanes<T>>;
  if (n <= Few::count() && in_words(x)) {
    const typename Few::D d;
    return fold_of_lanes(d, hn::IfThenElse(hn::FirstN(d, n), load_words<Few>(x, n), Few::splat(x[n - 1])), better);
  }
  return fold_of_lanes(hn::ScalableTag<T>(), load_few<Lanes<T>>(x, n), better);
}

template <class T, bool greatest>
T extreme_in_pieces(const T* x, std::size_t n);

template <class T, bool greatest>
HWY_INLINE T extreme_of_list(const T* x, std::size_t n) {
  const hn::ScalableTag<T> d;
  if constexpr (hwy::IsFloat<T>()) {
    if (n < hn::Lanes(d)) return extreme_one_by_one<T, greatest>(x, n);
  } else if (n < hn::Lanes(d)) {
    return n == 0 ? Best<greatest>::template neutral<T>() : extreme_of_few<T, greatest>(x, n);
  }
  if (n > long_pass) [[unlikely]]
    return extreme_in_pieces<T, greatest>(x, n);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // From the second-level cache smaller vectors come faster.
  constexpr std::size_t first_level = 48 << 10, second_level = 512 << 10;
  if (n * sizeof(T) > first_level && n * sizeof(T) <= second_level)
    return extreme_by_parts<greatest, 8>(hn::CappedTag<T, 32 / sizeof(T)>(), x, n);
#endif
  if constexpr (hwy::IsFloat<T>()) {
    // Each waits for four cycles on some chips, which begin two a cycle.
    constexpr std::size_t many = 128;
    if (n >= many) return extreme_by_parts<greatest, 8>(d, x, n);
  }
  return extreme_by_parts<greatest, 4>(d, x, n);
}

// Stands apart, so that others are compiled as if there were none so long.
template <class T, bool greatest>
HWY_NOINLINE T extreme_in_pieces(const T* x, std::size_t n) {
  T best = Best<greatest>::template neutral<T>();
  in_pieces(
      n,
      [&](std::size_t from, std::size_t to)
          HWY_ATTR { best = Best<greatest>::of_two(extreme_of_list<T, greatest>(x + from, to - from), best); },
      long_pass);
  return best;
}

template <class T, bool greatest>
T fold_list(const void* elements, std::size_t n) {
  const T* x = static_cast<const T*>(elements);
  const T best = extreme_of_list<T, greatest>(x, n);
  return x[n - 1] != x[n - 1] ? x[n - 1] : best;
}

template <class T, bool greatest>
void extreme(void* out, const void* x, std::size_t n) {
  *static_cast<T*>(out) = fold_list<T, greatest>(x, n);
}
template <class T, bool greatest>
double fold_extreme(const void* x, std::size_t n) {
  return static_cast<double>(fold_list<T, greatest>(x, n));
}
template <class T>
double fold_sum(const void* x, std::size_t n) {
  return static_cast<double>(sum<T>(x, n));
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
const ReduceKernels* reduce_kernels() {
  static constexpr ReduceKernels kernels = {
      .fold_sum = {fold_sum<int8_t>, fold_sum<int16_t>, fold_sum<int32_t>},
      .fold_minimum = {fold_extreme<int8_t, false>, fold_extreme<int16_t, false>, fold_extreme<int32_t, false>,
                       fold_extreme<double, false>},
      .fold_maximum = {fold_extreme<int8_t, true>, fold_extreme<int16_t, true>, fold_extreme<int32_t, true>,
                       fold_extreme<double, true>},
      .sum = {sum<int8_t>, sum<int16_t>, sum<int32_t>},
      .minimum = {extreme<int8_t, false>, extreme<int16_t, false>, extreme<int32_t, false>, extreme<double, false>},
      .maximum = {extreme<int8_t, true>, extreme<int16_t, true>, extreme<int32_t, true>, extreme<double, true>},
      .product_f64 = product_f64,
  };
  return &kernels;
}

}  // namespace
}  // namespace reduce_unit
using reduce_unit::reduce_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(reduce_kernels);
const ReduceKernels& reduce() { return *HWY_DYNAMIC_DISPATCH(reduce_kernels)(); }
}  // namespace griddle::kernels
#endif
