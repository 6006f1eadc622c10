#include "primitives/kernels/ordered_sum.h"

#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/ordered_sum.cc"
#include "hwy/foreach_target.h"
//
#include <algorithm>
#include <bit>
#include <cmath>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::uint64_t;

#if HWY_TARGET != HWY_SCALAR

constexpr std::size_t block = 32;

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

// Guesses from a few elements whether no partial sum of a block leaves its powers of two.
bool seems_to_stay(double sum, const Binade& b, const double* x) {
  const double size = 8 * (std::fabs(x[3]) + std::fabs(x[12]) + std::fabs(x[21]) + std::fabs(x[30])), from = std::fabs(sum);
  return from - size > b.low && from + size < 2 * b.low;
}

// Adds the last block before `end`; false where it must be done one by one.
HWY_INLINE bool add_block(const double* end, const Binade& b, double& sum) {
  const hn::ScalableTag<double> d;
  constexpr std::size_t lanes = hn::MaxLanes(decltype(d)());
  const auto round = hn::Set(d, b.round);
  auto total0 = hn::Zero(d), total1 = total0, size0 = total0, size1 = total0, error0 = total0, error1 = total0;
  const auto add = [=](const double* from, auto& total, auto& size, auto& error) HWY_ATTR {
    const auto x = hn::LoadU(d, from);
    const auto rounded = hn::Sub(hn::Add(x, round), round);
    error = hn::Max(error, hn::Abs(hn::Sub(x, rounded)));
    total = hn::Add(total, rounded);
    size = hn::Add(size, hn::Abs(rounded));
  };
  for (std::size_t i = 0; i < block; i += 2 * lanes) {
    add(end - block + i, total0, size0, error0);
    add(end - block + i + lanes, total1, size1, error1);
  }
  if (!hn::AllTrue(d, hn::Lt(hn::Max(error0, error1), hn::Set(d, b.half_unit)))) return false;
  // No partial sum is further away than the sum of sizes. A NaN fails here.
  const double size = hn::GetLane(hn::SumOfLanes(d, hn::Add(size0, size1))), from = std::fabs(sum);
  if (!(from - size > b.low && from + size < 2 * b.low)) return false;
  sum += hn::GetLane(hn::SumOfLanes(d, hn::Add(total0, total1)));
  return true;
}

#endif

double from_right(const double* x, std::size_t n, double sum) {
#if HWY_TARGET != HWY_SCALAR
  Binade b;
  while (n >= block) {
    if (Binade::has(sum, b) && seems_to_stay(sum, b, x + n - block))
      while (n >= block && add_block(x + n, b, sum)) n -= block;
    if (n < block) break;
    for (const std::size_t end = n - block; n > end;) sum = x[--n] + sum;
  }
#endif
  while (n > 0) sum = x[--n] + sum;
  return sum;
}

double fold(const void* x, std::size_t n) {
  const double* from = static_cast<const double*>(x);
  return from_right(from, n - 1, from[n - 1]);
}

// Checking a vector of running sums takes as long as adding them up one by one.
double running(double* out, const double* x, std::size_t n, double sum) {
  for (std::size_t i = 0; i < n; i++) out[i] = sum = sum + x[i];
  return sum;
}

// Begins with the first element itself: 0+¯0 would be 0.
bool scan(void* out, const void* x, std::size_t n) {
  const double* from = static_cast<const double*>(x);
  double* to = static_cast<double*>(out);
  to[0] = from[0];
  running(to + 1, from + 1, n - 1, from[0]);
  return true;
}

const OrderedSumKernels* table() {
  static constexpr OrderedSumKernels kernels = {fold, from_right, running, scan};
  return &kernels;
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(table);
const OrderedSumKernels& ordered_sum() { return *HWY_DYNAMIC_DISPATCH(table)(); }
}  // namespace griddle::kernels
#endif
