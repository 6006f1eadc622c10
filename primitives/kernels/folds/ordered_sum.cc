#include "primitives/kernels/folds/ordered_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "hwy/highway.h"
#include "primitives/kernels/folds/from_right.h"
#include "primitives/kernels/shared/pieces.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace ordered_sum_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t;

// Says which memory is to come to the caches: what lies below the elements, or, from its start on, what is needed next.
struct Fetched {
  std::uintptr_t start;
  bool downward;

  static constexpr std::size_t ahead = 5120, piece = 1024, line = 64;  // bytes
  static Fetched below(const double* x) { return {reinterpret_cast<std::uintptr_t>(x) - ahead, true}; }
  static Fetched next(const double* next, std::size_t n) { return {reinterpret_cast<std::uintptr_t>(next + n) - piece, false}; }
  // Fetches a piece when n elements are left.
  void fetch(std::size_t n) const {
    const std::uintptr_t from = downward ? start + n * sizeof(double) : start - n * sizeof(double);
    for (std::size_t i = 0; i < piece; i += line) __builtin_prefetch(reinterpret_cast<const void*>(from + i));
  }
};

constexpr std::size_t block = 32, long_block = 4 * block, most_passing = 32, most_of_both_signs = 32;

// What is known of sums between two powers of two.
struct Binade {
  double low;        // the power of two below
  double half_unit;  // half of the last place
  double round;      // added to a number and subtracted again, rounds it to whole last places

  // False for sums that are too small, too large or no numbers.
  static bool has(double sum, Binade& b) {
    const uint64_t exponent = std::bit_cast<uint64_t>(sum) >> 52 & 0x7FF;
    if (exponent < 100 || exponent > 2000) return false;
    b.low = std::bit_cast<double>(exponent << 52);
    b.half_unit = std::bit_cast<double>((exponent - 53) << 52);
    b.round = 1.5 * b.low;
    return true;
  }
};

// Give a - b and a + b. Where a processor multiplies and adds in other units than it adds in, those are free.
template <class V>
HWY_INLINE V difference(V a, V b, [[maybe_unused]] V one) {
#if HWY_TARGET <= HWY_AVX2
  return hn::MulSub(a, one, b);
#else
  return hn::Sub(a, b);
#endif
}
template <class V>
HWY_INLINE V sum_of(V a, V b, [[maybe_unused]] V one) {
#if HWY_TARGET <= HWY_AVX2
  return hn::MulAdd(a, one, b);
#else
  return hn::Add(a, b);
#endif
}

// Tells whether no partial sum leaves its powers of two where sizes add up to `size`. False for NaN.
bool stays(double sum, double size, const Binade& b) {
  const double from = std::fabs(sum);
  return from - size > b.low && from + size < 2 * b.low;
}

// Guesses from a few elements whether no partial sum of a block leaves its powers of two.
bool seems_to_stay(double sum, const Binade& b, const double* x) {
  return stays(sum, 8 * (std::fabs(x[3]) + std::fabs(x[12]) + std::fabs(x[21]) + std::fabs(x[30])), b);
}

// Tells of a few elements of a block whether they have both signs. Their sums stay too seldom for a look at each.
bool have_both_signs(const double* x) {
  uint64_t any = 0, all = ~uint64_t{0};
  for (std::size_t i = 1; i < block; i += 5) {
    const uint64_t bits = std::bit_cast<uint64_t>(x[i]);
    any |= bits;
    all &= bits;
  }
  return (any & ~all) >> 63 != 0;
}

// Adds the last `count` elements before `end`, a multiple of 16, and gives the sum of their sizes; false where they must be done
// in smaller blocks, or one by one.
template <std::size_t count>
HWY_INLINE bool add_block(const double* end, const Binade& b, double& sum, double& size) {
  const hn::ScalableTag<double> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  const auto round = hn::Set(d, b.round), one = hn::Set(d, 1.0);
  auto total0 = hn::Zero(d), total1 = total0, size0 = total0, size1 = total0, error0 = total0, error1 = total0;
  const auto add = [=](const double* from, auto& total, auto& size, auto& error) HWY_ATTR {
    const auto x = hn::LoadU(d, from);
    const auto rounded = difference(hn::Add(x, round), round, one);
    error = hn::Max(error, hn::Abs(difference(x, rounded, one)));
    total = hn::Add(total, rounded);
    size = sum_of(hn::Abs(rounded), size, one);
  };
  // Goes down through memory, as the blocks do: what fetches ahead follows one direction.
  for (const double* from = end - 2 * lanes; from >= end - count; from -= 2 * lanes) {
    add(from + lanes, total0, size0, error0);
    add(from, total1, size1, error1);
  }
  if (!hn::AllTrue(d, hn::Lt(hn::Max(error0, error1), hn::Set(d, b.half_unit)))) return false;
  // No partial sum is further away than the sum of sizes.
  size = hn::GetLane(hn::SumOfLanes(d, hn::Add(size0, size1)));
  if (!stays(sum, size, b)) return false;
  sum += hn::GetLane(hn::SumOfLanes(d, hn::Add(total0, total1)));
  return true;
}

// Adds blocks as long as that gives the same; gives the number of elements left.
std::size_t add_blocks(const double* x, std::size_t n, const Binade& b, double& sum, Fetched fetched) {
  double size = 0;
  while (n >= block && add_block<block>(x + n, b, sum, size)) {
    n -= block;
    while (n >= long_block && stays(sum, 5 * size, b) && add_block<long_block>(x + n, b, sum, size)) {
      n -= long_block;
      fetched.fetch(n);
      size /= 4;
    }
  }
  return n;
}

HWY_INLINE double add_one_by_one(const double* x, std::size_t n, std::size_t end, double sum) {
  return fold_from_right(x, n, end, sum, std::plus<>());
}

// Reads pairs of four parts, or of two: those of the first and the third, and those of the others.
template <class D, class Read, class V = hn::Vec<D>>
HWY_INLINE std::pair<V, V> read_pairs(D d, const Read& pair_of) {
  if constexpr (hn::MaxLanes(D()) == 4)
    return {hn::Combine(d, pair_of(2), pair_of(0)), hn::Combine(d, pair_of(3), pair_of(1))};
  else
    return {pair_of(0), pair_of(1)};
}

// Elements of both signs leave a power of two later than their sizes let one think. Each lane of vectors goes through a part of
// its own, and keeps the least and the most of its partial sums.
struct Parts {
  using D = hn::CappedTag<double, 4>;
  static constexpr std::size_t count = hn::MaxLanes(D()), length = 16, all = count * length;
  HWY_ALIGN double total[count], least[count], most[count], error[count];

  // Goes through the elements from x on, and through each part from the right. The first lane takes the last part.
  HWY_INLINE void look_through(const double* x, const Binade& b) {
    const D d;
    using V = hn::Vec<D>;
    const V round = hn::Set(d, b.round), one = hn::Set(d, 1.0);
    V sum = hn::Zero(d), low = hn::Set(d, 1.75 * b.low), high = hn::Neg(low), far = sum;
    const auto add = [&](V v) HWY_ATTR {
      const V rounded = difference(hn::Add(v, round), round, one);
      far = hn::Max(far, hn::Abs(difference(v, rounded, one)));
      sum = sum_of(rounded, sum, one);
      low = hn::Min(low, sum);
      high = hn::Max(high, sum);
    };
    for (std::size_t k = length; k != 0; k -= 2) {
      const auto [evens, odds] = read_pairs(
          d, [&](std::size_t p) HWY_ATTR { return hn::LoadU(hn::FixedTag<double, 2>(), x + (count - 1 - p) * length + k - 2); });
      add(hn::InterleaveUpper(d, evens, odds));
      add(hn::InterleaveLower(d, evens, odds));
    }
    hn::Store(sum, d, total);
    hn::Store(low, d, least);
    hn::Store(high, d, most);
    hn::Store(far, d, error);
  }
};

// Tells whether a sum is so much larger than its elements that few of these are half way between two of its last places.
bool is_far_above(double sum, const double* x) {
  return std::fabs(sum) > 8 * (std::fabs(x[3]) + std::fabs(x[12]) + std::fabs(x[21]) + std::fabs(x[30]));
}

struct Added {
  double sum;
  std::size_t left;
};
// Adds parts as long as most of them give the same as one by one.
HWY_NOINLINE Added add_parts(const double* x, std::size_t n, double sum, Fetched fetched) {
  // Is lost by parts that fail, and grows with each block.
  constexpr int most_trust = 8, lost = 2;
  int trust = most_trust;
  Parts parts;
  for (Binade b; trust > 0 && n >= Parts::all && is_far_above(sum, x + n - block) && Binade::has(sum, b);) {
    const double least = sum > 0 ? b.low : -2 * b.low, most = sum > 0 ? 2 * b.low : -b.low;
    for (bool stays_within = true; stays_within && trust > 0 && n >= Parts::all;) {
      parts.look_through(x + n - Parts::all, b);
      if (n % long_block < Parts::all) fetched.fetch(n);
      for (std::size_t p = 0; p < Parts::count && stays_within; p++, n -= Parts::length) {
        if (parts.error[p] < b.half_unit && sum + parts.least[p] > least && sum + parts.most[p] < most) [[likely]] {
          sum += parts.total[p];
          continue;
        }
        sum = add_one_by_one(x, n, n - Parts::length, sum);
        stays_within = sum > least && sum < most;
        trust -= lost;
      }
      trust = std::min(trust + 1, most_trust);
    }
  }
  return {sum, n};
}

double add_from_right(const double* x, std::size_t n, double sum, [[maybe_unused]] Fetched fetched) {
  Binade b;
  // Where blocks failed one after the other, ever more go by without another try, and many after each that has both signs.
  std::size_t failures = 0, passing = 0;
  bool is_worth_a_try = false;
  while (n >= block) {
    if (passing != 0) {
      passing--;
    } else if (!is_worth_a_try && have_both_signs(x + n - block)) {
      passing = most_of_both_signs;
      is_worth_a_try = true;
      if (is_far_above(sum, x + n - block)) [[unlikely]] {
        const Added added = add_parts(x, n, sum, fetched);
        if (n - added.left >= most_of_both_signs * block / 4) passing = 0;
        sum = added.sum;
        n = added.left;
      }
    } else {
      const std::size_t before = n;
      if (Binade::has(sum, b) && seems_to_stay(sum, b, x + n - block)) {
        n = add_blocks(x, n, b, sum, fetched);
        failures = n == before ? failures + 1 : 0;
        passing = std::min(failures * failures / 2, most_passing);
      }
      is_worth_a_try = n != before;
    }
    if (n < block) break;
    sum = add_one_by_one(x, n, n - block, sum);
    n -= block;
  }
  return add_one_by_one(x, n, 0, sum);
}
double from_right(const double* x, std::size_t n, double sum) { return add_from_right(x, n, sum, Fetched::below(x)); }
double from_right_fetching(const double* x, std::size_t n, double sum, const double* next) {
  return add_from_right(x, n, sum, Fetched::next(next, n));
}

HWY_NOINLINE double fold_many(const double* x, std::size_t n) {
  double sum = x[--n];
  for (; n > long_pass; n -= long_pass) {
    sum = from_right(x + n - long_pass, long_pass, sum);
    checkpoint();
  }
  return from_right(x, n, sum);
}
double fold(const void* x, std::size_t n) {
  const double* from = static_cast<const double*>(x);
  if (n > long_pass) [[unlikely]]
    return fold_many(from, n);
  return from_right(from, n - 1, from[n - 1]);
}

// Checking a vector of running sums takes as long as adding them up one by one.
HWY_INLINE double running_one_by_one(double* out, const double* x, std::size_t n, double sum) {
  for (std::size_t i = 0; i < n; i++) out[i] = sum = sum + x[i];
  return sum;
}
HWY_NOINLINE double running_in_pieces(double* out, const double* x, std::size_t n, double sum) {
  in_pieces(n, [&](std::size_t i, std::size_t end) HWY_ATTR { sum = running_one_by_one(out + i, x + i, end - i, sum); });
  return sum;
}
double running(double* out, const double* x, std::size_t n, double sum) {
  if (n > long_pass && out != x) [[unlikely]]
    return running_in_pieces(out, x, n, sum);
  return running_one_by_one(out, x, n, sum);
}

double running_exact(double* out, const double* x, std::size_t n, double sum) {
  std::size_t i = 0;
  const hn::CappedTag<double, 4> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  auto so_far = hn::Set(d, sum);
  for (; i + lanes <= n; i += lanes) {
    auto v = hn::LoadU(d, x + i);
    v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
    auto last = hn::InterleaveUpper(d, v, v);
    if constexpr (lanes == 4) {
      v = hn::Add(v, hn::ConcatLowerLower(d, last, hn::Zero(d)));
      last = hn::InterleaveUpper(d, v, v);
      last = hn::ConcatUpperUpper(d, last, last);
    }
    hn::StoreU(hn::Add(v, so_far), d, out + i);
    so_far = hn::Add(so_far, last);
  }
  sum = hn::GetLane(so_far);
  return running(out + i, x + i, n - i, sum);
}

// Begins with the first element itself: 0+¯0 would be 0.
bool scan(void* out, const void* x, std::size_t n) {
  const double* from = static_cast<const double*>(x);
  double* to = static_cast<double*>(out);
  to[0] = from[0];
  running(to + 1, from + 1, n - 1, from[0]);
  return true;
}

const OrderedSumKernels* ordered_sum_kernels() {
  static constexpr OrderedSumKernels kernels = {fold, from_right, from_right_fetching, running, running_exact, scan};
  return &kernels;
}

}  // namespace
}  // namespace ordered_sum_unit
using ordered_sum_unit::ordered_sum_kernels;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(ordered_sum_kernels);
const OrderedSumKernels& ordered_sum() { return *HWY_DYNAMIC_DISPATCH(ordered_sum_kernels)(); }
}  // namespace griddle::kernels
#endif
