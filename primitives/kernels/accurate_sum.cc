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

// Keeps the order of additions apart from the width of vectors; compilers find the vectors in the inner loops.
double accurate_sum(const double* x, std::size_t n) {
  constexpr std::size_t width = 16, block = 32 * width;
  double sums[width] = {}, errors[width] = {};
  std::size_t i = 0;
  while (i < n) {
    double part[width] = {};
    const std::size_t end = n - i < block ? n : i + block;
    for (; end - i >= width; i += width)
      for (std::size_t k = 0; k < width; k++) part[k] += x[i + k];
    for (std::size_t k = 0; i < end; i++, k++) part[k] += x[i];
    for (std::size_t k = 0; k < width; k++) {
      const double sum = sums[k] + part[k], added = sum - sums[k];
      errors[k] += (sums[k] - (sum - added)) + (part[k] - added);
      sums[k] = sum;
    }
  }
  for (std::size_t half = width / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; k++) {
      const double sum = sums[k] + sums[k + half], added = sum - sums[k];
      errors[k] += errors[k + half] + ((sums[k] - (sum - added)) + (sums[k + half] - added));
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
