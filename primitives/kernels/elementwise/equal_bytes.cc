#include "primitives/kernels/elementwise/equal_bytes.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace equal_bytes_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

bool are_equal(const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  if (bytes < lanes) return std::memcmp(a, b, bytes) == 0;
  const auto differ = [=](std::size_t i) HWY_ATTR { return hn::Xor(hn::LoadU(d, a + i), hn::LoadU(d, b + i)); };
  const auto are_none = [=](auto v) HWY_ATTR { return hn::AllTrue(d, hn::Eq(v, hn::Zero(d))); };
  // Most that differ do so in the first or the last vector.
  if (!are_none(hn::Or(differ(0), differ(bytes - lanes)))) return false;
  std::size_t i = lanes;
  for (; i + 4 * lanes < bytes; i += 4 * lanes) {
    const auto first = hn::Or(differ(i), differ(i + lanes)), second = hn::Or(differ(i + 2 * lanes), differ(i + 3 * lanes));
    if (!are_none(hn::Or(first, second))) return false;
  }
  auto rest = hn::Zero(d);
  for (; i + lanes < bytes; i += lanes) rest = hn::Or(rest, differ(i));
  return are_none(rest);
}

template <class D>
HWY_INLINE hn::Mask<D> equal_otherwise(D d, const double* x) {
  const auto v = hn::LoadU(d, x);
#if HWY_TARGET == HWY_AVX3
  return hn::Mask<D>{_mm512_fpclass_pd_mask(v.raw, 0x85)};
#else
  return hn::Or(hn::IsNaN(v), hn::RebindMask(d, hn::Eq(hn::BitCast(hn::RebindToSigned<D>(), v),
                                                       hn::Set(hn::RebindToSigned<D>(), std::int64_t{1} << 63))));
#endif
}

bool are_equal_as_bits(const double* x, std::size_t n) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  if (n < lanes) {
    bool right = true;
    for (std::size_t i = 0; i < n; i++) right &= x[i] == x[i] && !(x[i] == 0 && std::signbit(x[i]));
    return right;
  }
  auto first = equal_otherwise(d, x + n - lanes), second = first;
  std::size_t i = 0;
  for (; i + 2 * lanes < n; i += 2 * lanes) {
    first = hn::Or(first, equal_otherwise(d, x + i));
    second = hn::Or(second, equal_otherwise(d, x + i + lanes));
  }
  if (i + lanes < n) first = hn::Or(first, equal_otherwise(d, x + i));
  return hn::AllFalse(d, hn::Or(first, second));
}

}  // namespace
}  // namespace equal_bytes_unit
using equal_bytes_unit::are_equal, equal_bytes_unit::are_equal_as_bits;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(are_equal);
HWY_EXPORT(are_equal_as_bits);
bool equal_vectors(const void* a, const void* b, std::size_t bytes) {
  return HWY_DYNAMIC_DISPATCH(are_equal)(static_cast<const std::uint8_t*>(a), static_cast<const std::uint8_t*>(b), bytes);
}
bool equal_as_bits(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(are_equal_as_bits)(x, n); }
}  // namespace griddle::kernels
#endif
