#include "primitives/kernels/sort/is_sorted.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace is_sorted_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Looks for a neighbour out of order, where `bad(a, b)` marks them in vectors.
template <class T, class F, class G>
HWY_INLINE bool none_bad(const T* x, std::size_t n, F bad, G bad_pair) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * lanes + 1 <= n; i += 2 * lanes) {
    const auto first = bad(hn::LoadU(d, x + i), hn::LoadU(d, x + i + 1));
    const auto second = bad(hn::LoadU(d, x + i + lanes), hn::LoadU(d, x + i + lanes + 1));
    if (!hn::AllFalse(d, hn::Or(first, second))) return false;
  }
  for (; i + 1 < n; i++)
    if (bad_pair(x[i], x[i + 1])) return false;
  return true;
}

template <class T>
HWY_INLINE bool integers_in_order(const void* x, std::size_t n, bool down) {
  const T* p = static_cast<const T*>(x);
  if (down)
    return none_bad(
        p, n, [](auto a, auto b) HWY_ATTR { return hn::Lt(a, b); }, [](T a, T b) { return a < b; });
  return none_bad(
      p, n, [](auto a, auto b) HWY_ATTR { return hn::Lt(b, a); }, [](T a, T b) { return b < a; });
}

HWY_INLINE bool doubles_in_order(const void* bytes, std::size_t n, bool down) {
  const double* x = static_cast<const double*>(bytes);
  const auto after = [](auto a, auto b) HWY_ATTR { return hn::Or(hn::Lt(b, a), hn::AndNot(hn::IsNaN(b), hn::IsNaN(a))); };
  const auto one_after = [](double a, double b) { return (b < a) | ((a != a) & (b == b)); };
  if (down)
    return none_bad(
        x, n, [&](auto a, auto b) HWY_ATTR { return after(b, a); }, [&](double a, double b) { return one_after(b, a); });
  return none_bad(x, n, after, one_after);
}

bool in_order(ElementType type, const void* x, std::size_t n, bool down) {
  switch (type) {
    case ElementType::i8: return integers_in_order<std::int8_t>(x, n, down);
    case ElementType::i16: return integers_in_order<std::int16_t>(x, n, down);
    case ElementType::i32: return integers_in_order<std::int32_t>(x, n, down);
    case ElementType::f64: return doubles_in_order(x, n, down);
    case ElementType::c8: return integers_in_order<std::uint8_t>(x, n, down);
    case ElementType::c16: return integers_in_order<std::uint16_t>(x, n, down);
    default: return integers_in_order<std::uint32_t>(x, n, down);
  }
}

}  // namespace
}  // namespace is_sorted_unit
using is_sorted_unit::in_order;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(in_order);
bool is_sorted(ElementType type, const void* x, std::size_t n, bool down) {
  return HWY_DYNAMIC_DISPATCH(in_order)(type, x, n, down);
}
}  // namespace griddle::kernels
#endif
