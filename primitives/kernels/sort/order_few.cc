#include "primitives/kernels/sort/order_few.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace order_few_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A window of this that begins at place `size - k` marks the lanes from k on.
template <class Lane>
constexpr auto marks_of_later = [] {
  constexpr std::size_t size = 64 / sizeof(Lane);
  std::array<Lane, 2 * size> marks = {};
  for (std::size_t i = size; i < 2 * size; i++) marks[i] = static_cast<Lane>(-1);
  return marks;
}();

// Counts for each element those that come before it: to lanes as wide as the elements, some more than there are.
template <class T, bool down, class Lane>
HWY_INLINE void count_before(const T* x, std::size_t n, Lane* places) {
  const hn::ScalableTag<T> d;
  const hn::RebindToSigned<decltype(d)> counts;
  const std::size_t lanes = hn::Lanes(d);
  const auto is_behind = [](auto a, auto b) HWY_ATTR { return down ? hn::Lt(a, b) : hn::Gt(a, b); };
  const auto mark = [=](auto mask) HWY_ATTR { return hn::VecFromMask(counts, hn::RebindMask(counts, mask)); };
  const Lane* const later = marks_of_later<Lane>.data() + marks_of_later<Lane>.size() / 2;
  for (std::size_t first = 0; first < n; first += lanes) {
    const auto own = hn::Load(d, x + first);
    const std::size_t end = std::min(first + lanes, n);
    // Marks are ¯1. Of those to the left, the ones behind are left out of the count.
    auto place = hn::Set(counts, static_cast<Lane>(first));
    std::size_t j = 0;
    for (; j < first; j++) place = hn::Add(place, mark(is_behind(hn::Set(d, x[j]), own)));
    for (; j < end; j++) {
      const auto one = hn::Set(d, x[j]);
      const auto equal = hn::And(mark(hn::Eq(own, one)), hn::LoadU(counts, later - (j + 1 - first)));
      place = hn::Sub(place, hn::Or(mark(is_behind(own, one)), equal));
    }
    for (; j < n; j++) place = hn::Sub(place, mark(is_behind(own, hn::Set(d, x[j]))));
    hn::Store(place, counts, places + first);
  }
}

// Copies elements to where vectors may read beyond them. Characters become numbers of the same order.
template <class T>
struct Few {
  using Signed = std::conditional_t<std::is_floating_point_v<T>, T,
                                    std::make_signed_t<std::conditional_t<std::is_floating_point_v<T>, int, T>>>;
  using Lane = hwy::MakeSigned<Signed>;
  static constexpr std::size_t room = most_ordered_few + hn::MaxLanes(hn::ScalableTag<Signed>());
  HWY_ALIGN Signed elements[room];
  HWY_ALIGN Lane places[room];
  bool are_numbers = true;

  HWY_INLINE Few(const void* x, std::size_t n, bool down) {
    const hn::ScalableTag<Signed> d;
    const std::size_t lanes = hn::Lanes(d);
    const auto* from = static_cast<const Signed*>(x);
    const auto keyed = [d](auto v) HWY_ATTR {
      if constexpr (std::is_unsigned_v<T>)
        return hn::Xor(v, hn::Set(d, hwy::LimitsMin<Signed>()));
      else
        return v;
    };
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::Store(keyed(hn::LoadU(d, from + i)), d, elements + i);
    if (i != n) {
      std::memcpy(elements + i, from + i, (n - i) * sizeof(T));
      hn::Store(keyed(hn::Load(d, elements + i)), d, elements + i);
    }
    if constexpr (std::is_floating_point_v<T>) {
      for (i = 0; i < n; i++) are_numbers &= elements[i] == elements[i];
      if (!are_numbers) return;
    }
    if (down)
      count_before<Signed, true>(elements, n, places);
    else
      count_before<Signed, false>(elements, n, places);
  }
};

template <class T>
bool sort(const void* x, std::size_t n, void* out, bool down) {
  const Few<T> few(x, n, down);
  if (!few.are_numbers) return false;
  T sorted[most_ordered_few];
  for (std::size_t i = 0; i < n; i++) sorted[few.places[i]] = static_cast<const T*>(x)[i];
  std::memcpy(out, sorted, n * sizeof(T));
  return true;
}
template <class T>
bool grade(const void* x, std::size_t n, std::uint8_t* places, bool down) {
  const Few<T> few(x, n, down);
  if (!few.are_numbers) return false;
  for (std::size_t i = 0; i < n; i++) places[few.places[i]] = static_cast<std::uint8_t>(i);
  return true;
}

template <class F>
HWY_INLINE bool with_elements(ElementType type, F f) {
  switch (type) {
    case ElementType::i8: return f(std::type_identity<std::int8_t>());
    case ElementType::i16: return f(std::type_identity<std::int16_t>());
    case ElementType::i32: return f(std::type_identity<std::int32_t>());
    case ElementType::f64: return f(std::type_identity<double>());
    case ElementType::c8: return f(std::type_identity<std::uint8_t>());
    case ElementType::c16: return f(std::type_identity<std::uint16_t>());
    default: return f(std::type_identity<std::uint32_t>());
  }
}
bool sort_few(ElementType type, const void* x, std::size_t n, void* out, bool down) {
  return with_elements(type, [=]<class T>(std::type_identity<T>) { return sort<T>(x, n, out, down); });
}
bool grade_few(ElementType type, const void* x, std::size_t n, std::uint8_t* places, bool down) {
  return with_elements(type, [=]<class T>(std::type_identity<T>) { return grade<T>(x, n, places, down); });
}

}  // namespace
}  // namespace order_few_unit
using order_few_unit::grade_few;
using order_few_unit::sort_few;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(sort_few);
HWY_EXPORT(grade_few);
bool sort_few(ElementType type, const void* x, std::size_t n, void* out, bool down) {
  return HWY_DYNAMIC_DISPATCH(sort_few)(type, x, n, out, down);
}
bool grade_few(ElementType type, const void* x, std::size_t n, std::uint8_t* places, bool down) {
  return HWY_DYNAMIC_DISPATCH(grade_few)(type, x, n, places, down);
}
}  // namespace griddle::kernels
#endif
