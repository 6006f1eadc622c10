#include "primitives/mapping/units.h"

#include <algorithm>

#include "primitives/common/mapping.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/kernels/shared/bit_runs.h"

namespace griddle::primitives {

namespace {

enum Answer { absent, present, unknown };

// Looks for a number or a character among the elements of a short flat list. Unknown for anything else.
Answer is_among(const Value& w, const Value& x) {
  constexpr std::size_t longest = 64;
  if (!is_flat_list(x) || x.array().length > longest) return unknown;
  const Array& a = x.array();
  if (a.length == 0 || is_number(a.type()) != w.is_number()) return absent;
  const double wanted = w.is_number() ? w.number() : static_cast<double>(w.character());
  return with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Value>) {
      return unknown;
    } else if constexpr (std::is_same_v<T, Bit>) {
      if (wanted != 0 && wanted != 1) return absent;
      const std::uint64_t word = *a.as<std::uint64_t>();
      return ((wanted != 0 ? word : ~word) & kernels::low_bits(a.length)) != 0 ? present : absent;
    } else {
      const T element = std::is_same_v<T, double> ? static_cast<T>(wanted) : static_cast<T>(truncated(wanted));
      if (static_cast<double>(element) != wanted) return absent;
      const T* const elements = a.as<T>();
      return std::find(elements, elements + a.length, element) != elements + a.length ? present : absent;
    }
  });
}

}  // namespace

Value member_each(Context& cx, const Value& w, const Array& x) {
  if (!w.is_character() && !(w.is_number() && w.number() == w.number())) return Value();
  // All that are alike are one.
  const Value units[] = {enclose(cx.heap, Value(0)), enclose(cx.heap, Value(1))};
  const Value* elements = x.boxes().data();
  Ref<Array> results = make_like(cx.heap, ElementType::boxed, x);
  Value* to = results->as<Value>();
  for (std::size_t i = 0; i < x.length; i++) {
    if ((i & 0xFFF) == 0) cx.check_interrupt();
    const Answer answer = is_among(w, elements[i]);
    if (answer == unknown) return Value();
    new (to + i) Value(units[answer]);
  }
  return to_value(std::move(results));
}

Value merge_units(Context& cx, const Array& x) {
  const std::span<const Value> elements = x.boxes();
  const auto is_plain_unit = [](const Value& v) {
    return v.is_array() && v.array().rank() == 0 && v.array().type() != ElementType::boxed && has_plain_fill(v.array()) &&
           !v.array().data.elsewhere();
  };
  if (!is_plain_unit(elements[0])) return Value();
  ElementType type = elements[0].array().type();
  for (const Value& v : elements) {
    if (!is_plain_unit(v) || is_number(v.array().type()) != is_number(type)) return Value();
    type = std::max(type, v.array().type());
  }
  if (type == ElementType::bit) return told_of_each(cx, x.shape(), [&](std::size_t i) { return elements[i].array().bit(0); });
  Ref<Array> result = make_like(cx.heap, type, x);
  for (std::size_t i = 0; i < x.length; i++) store(*result, i, plain_element(elements[i].array(), 0));
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
