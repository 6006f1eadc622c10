#include "primitives/mapping/units.h"

#include <algorithm>

#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"

namespace griddle::primitives {

namespace {

// What searching a list comes to.
enum Answer { absent, present, unknown };

template <class T>
Answer search(const Array& a, T wanted) {
  const T* x = a.as<T>();
  return std::find(x, x + a.length, wanted) != x + a.length ? present : absent;
}
template <class T>
Answer search_integer(const Array& a, double wanted) {
  const T integer = static_cast<T>(truncated(wanted));
  return integer == wanted ? search<T>(a, integer) : absent;
}
Answer search_bit(const Array& a, double wanted) {
  if (wanted != 0 && wanted != 1) return absent;
  for (std::size_t i = 0; i < a.length; i++)
    if (a.bit(i) == (wanted != 0)) return present;
  return absent;
}
template <class T>
Answer search_character(const Array& a, char32_t wanted) {
  return static_cast<T>(wanted) == wanted ? search<T>(a, static_cast<T>(wanted)) : absent;
}

Answer is_among(const Value& w, const Value& x) {
  constexpr std::size_t longest = 64;
  if (!x.is_array()) return unknown;
  const Array& a = x.array();
  if (!a.is_list() || a.length > longest || a.type() == ElementType::boxed || a.data.elsewhere()) return unknown;
  if (a.length == 0 || is_number(a.type()) != w.is_number()) return absent;
  switch (a.type()) {
    case ElementType::bit: return search_bit(a, w.number());
    case ElementType::i8: return search_integer<std::int8_t>(a, w.number());
    case ElementType::i16: return search_integer<std::int16_t>(a, w.number());
    case ElementType::i32: return search_integer<std::int32_t>(a, w.number());
    case ElementType::f64: return search<double>(a, w.number());
    case ElementType::c8: return search_character<std::uint8_t>(a, w.character());
    case ElementType::c16: return search_character<std::uint16_t>(a, w.character());
    default: return search<char32_t>(a, w.character());
  }
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
  Ref<Array> result = make_like(cx.heap, type, x);
  if (type != ElementType::bit) {
    for (std::size_t i = 0; i < x.length; i++) store(*result, i, plain_element(elements[i].array(), 0));
    return to_value(std::move(result));
  }
  std::uint64_t* words = result->as<std::uint64_t>();
  for (std::size_t i = 0; i < x.length; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t k = i; k < std::min(x.length, i + 64); k++) word |= std::uint64_t{elements[k].array().bit(0)} << (k - i);
    words[i / 64] = word;
  }
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
