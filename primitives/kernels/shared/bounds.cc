#include "primitives/kernels/shared/bounds.h"

#include <algorithm>

#include "hwy/highway.h"
#include "primitives/kernels/shared/across_lanes-inl.h"
#include "primitives/kernels/shared/loops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace bounds_unit {
namespace {

template <class T>
Bounds bounds(const void* bytes, std::size_t n) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const T* x = static_cast<const T*>(bytes);
  const auto lesser = [](auto a, auto b) HWY_ATTR { return hn::Min(a, b); };
  const auto greater = [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); };
  const auto of_lanes = [=](auto low, auto high) HWY_ATTR {
    return Bounds{fold_of_lanes(d, low, lesser), fold_of_lanes(d, high, greater)};
  };
  if (n < lanes) {
    const auto all = load_few<Lanes<T>>(x, n);
    return of_lanes(all, all);
  }
  auto low0 = hn::LoadU(d, x + n - lanes), high0 = low0, low1 = low0, high1 = low0;
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = kept(hn::LoadU(d, x + i)), b = kept(hn::LoadU(d, x + i + lanes));
    low0 = hn::Min(low0, a);
    high0 = hn::Max(high0, a);
    low1 = hn::Min(low1, b);
    high1 = hn::Max(high1, b);
  }
  if (i + lanes <= n) {
    const auto a = hn::LoadU(d, x + i);
    low0 = hn::Min(low0, a);
    high0 = hn::Max(high0, a);
  }
  return of_lanes(hn::Min(low0, low1), hn::Max(high0, high1));
}

Bounds bounds_any(ElementType type, const void* x, std::size_t n) {
  switch (type) {
    case ElementType::i8: return bounds<std::int8_t>(x, n);
    case ElementType::i16: return bounds<std::int16_t>(x, n);
    case ElementType::i32: return bounds<std::int32_t>(x, n);
    case ElementType::c8: return bounds<std::uint8_t>(x, n);
    case ElementType::c16: return bounds<std::uint16_t>(x, n);
    default: return bounds<std::uint32_t>(x, n);
  }
}

template <class T>
void bytes_of(const void* from, std::size_t n, std::int64_t least, std::uint8_t* to) {
  const T* x = static_cast<const T*>(from);
  const auto low = static_cast<T>(least);
  std::size_t i = 0;
  const hn::ScalableTag<T> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const hn::RebindToSigned<decltype(d)> integers;
  const auto first = hn::Set(d, low), most = hn::Set(d, T{255});
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto above = hn::Min(hn::Sub(hn::LoadU(d, x + i), first), most);
    hn::StoreU(hn::DemoteTo(bytes, hn::BitCast(integers, above)), bytes, to + i);
  }
  for (; i < n; i++) to[i] = static_cast<std::uint8_t>(std::min<T>(static_cast<T>(x[i] - low), 255));
}
void bytes_above_any(ElementType type, const void* x, std::size_t n, std::int64_t low, std::uint8_t* to) {
  type == ElementType::i16 ? bytes_of<std::uint16_t>(x, n, low, to) : bytes_of<std::uint32_t>(x, n, low, to);
}

}  // namespace
}  // namespace bounds_unit
using bounds_unit::bounds_any, bounds_unit::bytes_above_any;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(bounds_any);
HWY_EXPORT(bytes_above_any);
Bounds bounds_of(ElementType type, const void* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(bounds_any)(type, x, n); }
void bytes_above(ElementType type, const void* x, std::size_t n, std::int64_t low, std::uint8_t* to) {
  HWY_DYNAMIC_DISPATCH(bytes_above_any)(type, x, n, low, to);
}
}  // namespace griddle::kernels
#endif
