#include <cmath>

#include "primitives/kernels/mathematics.h"
#include "primitives/kernels/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "primitives/kernels/accurate_sum.cc"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Keeps the order of additions apart from the width of vectors: element i is added to partial sum i mod `width`, in blocks.
constexpr std::size_t width = 32, block = 32 * width;

// Adds what rounding lost in sum = a + b.
HWY_INLINE double lost(double a, double b, double sum) {
  const double added = sum - a;
  return (a - (sum - added)) + (b - added);
}

double accurate_sum(const double* x, std::size_t n) {
  const hn::CappedTag<double, width> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t lanes = hn::MaxLanes(d), vectors = width / lanes;
  HWY_ALIGN double sums[width] = {};
  HWY_ALIGN double errors[width] = {};
  for (std::size_t i = 0; i < n;) {
    V part[vectors];
    for (std::size_t k = 0; k < vectors; k++) part[k] = hn::Zero(d);
    const std::size_t end = n - i < block ? n : i + block;
    for (; end - i >= width; i += width)
      for (std::size_t k = 0; k < vectors; k++) part[k] = hn::Add(part[k], hn::LoadU(d, x + i + k * lanes));
    if (i < end) {
      HWY_ALIGN double rest[width] = {};
      for (std::size_t k = 0; i + k < end; k++) rest[k] = x[i + k];
      for (std::size_t k = 0; k < vectors; k++) part[k] = hn::Add(part[k], hn::Load(d, rest + k * lanes));
      i = end;
    }
    for (std::size_t k = 0; k < vectors; k++) {
      const V before = hn::Load(d, sums + k * lanes), sum = hn::Add(before, part[k]), added = hn::Sub(sum, before);
      const V error = hn::Add(hn::Sub(before, hn::Sub(sum, added)), hn::Sub(part[k], added));
      hn::Store(sum, d, sums + k * lanes);
      hn::Store(hn::Add(hn::Load(d, errors + k * lanes), error), d, errors + k * lanes);
    }
  }
  for (std::size_t half = width / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; k++) {
      const double sum = sums[k] + sums[k + half];
      errors[k] += errors[k + half] + lost(sums[k], sums[k + half], sum);
      sums[k] = sum;
    }
  // Infinite sums have no errors to add.
  return std::isfinite(errors[0]) ? sums[0] + errors[0] : sums[0];
}

}  // namespace
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(accurate_sum);
double accurate_sum(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(accurate_sum)(x, n); }
}  // namespace griddle::kernels
#endif
