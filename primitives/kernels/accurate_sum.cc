#include <cmath>
#include <cstring>

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

// Gives what rounding lost in sum = a + b.
template <class V>
HWY_INLINE V lost(V a, V b, V sum) {
  const V added = hn::Sub(sum, a);
  return hn::Add(hn::Sub(a, hn::Sub(sum, added)), hn::Sub(b, added));
}
// Adds partial sums and their errors half a list further to those in front.
template <class D>
HWY_INLINE void add_half(D d, double* sums, double* errors, std::size_t half) {
  for (std::size_t k = 0; k < half; k += hn::MaxLanes(d)) {
    const auto a = hn::Load(d, sums + k), b = hn::Load(d, sums + k + half), sum = hn::Add(a, b);
    const auto both = hn::Add(hn::Load(d, errors + k), hn::Load(d, errors + k + half));
    hn::Store(hn::Add(both, lost(a, b, sum)), d, errors + k);
    hn::Store(sum, d, sums + k);
  }
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
      std::memcpy(rest, x + i, (end - i) * sizeof(double));
      for (std::size_t k = 0; k < vectors; k++) part[k] = hn::Add(part[k], hn::Load(d, rest + k * lanes));
      i = end;
    }
    for (std::size_t k = 0; k < vectors; k++) {
      const V before = hn::Load(d, sums + k * lanes), sum = hn::Add(before, part[k]);
      hn::Store(sum, d, sums + k * lanes);
      hn::Store(hn::Add(hn::Load(d, errors + k * lanes), lost(before, part[k], sum)), d, errors + k * lanes);
    }
  }
  std::size_t half = width / 2;
  for (; half >= lanes; half /= 2) add_half(d, sums, errors, half);
  for (; half > 0; half /= 2) add_half(hn::CappedTag<double, 1>(), sums, errors, half);
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
