#include "primitives/kernels/functions/mathematics.h"

#include <cmath>

#include "hwy/highway.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace accurate_sum_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Keeps the order of additions apart from the width of vectors: element i is added to partial sum i mod `width`, in blocks.
constexpr std::size_t width = 32, block = 32 * width;

using D = hn::CappedTag<double, width>;
using V = hn::Vec<D>;
constexpr std::size_t lanes = hn::MaxLanes(D()), vectors = width / lanes;

// Gives what rounding lost in sum = a + b.
HWY_INLINE V lost(V a, V b, V sum) {
  const V added = hn::Sub(sum, a);
  return hn::Add(hn::Sub(a, hn::Sub(sum, added)), hn::Sub(b, added));
}
HWY_INLINE double lost(double a, double b, double sum) {
  const double added = sum - a;
  return (a - (sum - added)) + (b - added);
}

// Adds up partial sums and their errors.
template <std::size_t count>
HWY_INLINE double add_up(V (&sums)[count], V (&errors)[count]) {
  for (std::size_t half = count / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; k++) {
      const V sum = hn::Add(sums[k], sums[k + half]);
      errors[k] = hn::Add(hn::Add(errors[k], errors[k + half]), lost(sums[k], sums[k + half], sum));
      sums[k] = sum;
    }
  }
  HWY_ALIGN double last_sums[lanes];
  HWY_ALIGN double last_errors[lanes];
  hn::Store(sums[0], D(), last_sums);
  hn::Store(errors[0], D(), last_errors);
  for (std::size_t half = lanes / 2; half > 0; half /= 2) {
    for (std::size_t k = 0; k < half; k++) {
      const double sum = last_sums[k] + last_sums[k + half];
      last_errors[k] = last_errors[k] + last_errors[k + half] + lost(last_sums[k], last_sums[k + half], sum);
      last_sums[k] = sum;
    }
  }
  // Infinite sums have no errors to add.
  return std::isfinite(last_errors[0]) ? last_sums[0] + last_errors[0] : last_sums[0];
}

// Loads fewer than so many numbers and fills up with zeros.
template <std::size_t count>
HWY_INLINE void load_filled(V (&part)[count], const double* x, std::size_t n) {
  const D d;
  for (std::size_t k = 0; k < count; k++) {
    const std::size_t before = k * lanes;
    if (n >= before + lanes)
      part[k] = hn::LoadU(d, x + before);
    else if (n > before)
      part[k] = hn::IfThenElseZero(hn::FirstN(d, n - before), load_few<Lanes<double>>(x + before, n - before));
    else
      part[k] = hn::Zero(d);
  }
}
// Adds few numbers, which are partial sums themselves: those that are not there would add 0.
template <std::size_t most>
double sum_of_few(const double* x, std::size_t n) {
  constexpr std::size_t count = most / lanes;
  V sums[count], errors[count];
  load_filled(sums, x, n);
  for (V& v : errors) v = hn::Zero(D());
  return add_up(sums, errors);
}

// Adds a block, or what is left of it, to partial sums that are 0.
HWY_INLINE void add_block(V (&part)[vectors], const double* x, std::size_t n) {
  const D d;
  for (V& v : part) v = hn::Zero(d);
  for (; n >= width; x += width, n -= width)
    for (std::size_t k = 0; k < vectors; k++) part[k] = hn::Add(part[k], hn::LoadU(d, x + k * lanes));
  if (n == 0) return;
  V rest[vectors];
  load_filled(rest, x, n);
  for (std::size_t k = 0; k < vectors; k++) part[k] = hn::Add(part[k], rest[k]);
}

double accurate_sum(const double* x, std::size_t n) {
  const D d;
  if (n <= 1) return n == 0 ? 0 : x[0] + 0.0;
  if (n == 2) {
    const double sum = x[0] + x[1], error = lost(x[0], x[1], sum);
    return std::isfinite(error) ? sum + error : sum;
  }
  constexpr std::size_t few = width / 4;
  if (n <= few) return sum_of_few<few>(x, n);
  if (n <= 2 * few) return sum_of_few<2 * few>(x, n);
  V sums[vectors], errors[vectors];
  add_block(sums, x, n < block ? n : block);
  for (V& v : errors) v = hn::Zero(d);
  for (std::size_t i = block; i < n; i += block) {
    V part[vectors];
    add_block(part, x + i, n - i < block ? n - i : block);
    for (std::size_t k = 0; k < vectors; k++) {
      const V sum = hn::Add(sums[k], part[k]);
      errors[k] = hn::Add(errors[k], lost(sums[k], part[k], sum));
      sums[k] = sum;
    }
  }
  return add_up(sums, errors);
}

}  // namespace
}  // namespace accurate_sum_unit
using accurate_sum_unit::accurate_sum;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(accurate_sum);
double accurate_sum(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(accurate_sum)(x, n); }
}  // namespace griddle::kernels
#endif
