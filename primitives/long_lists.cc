#include "primitives/long_lists.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace griddle::primitives {

namespace {

// The memory of longer arrays that nobody else holds may be worth more than the short way.
constexpr std::size_t longest = 16384;

inline bool is_plain_list(const Array& a) { return a.rank() == 1 && has_plain_fill(a); }

inline Array* make_results(Heap& heap, ElementType type, std::size_t n) {
  Array* made = make_long_list_at_hand(heap, type, n, bytes_for(type, n));
  return made != nullptr ? made : make_list(heap, type, n).leak();
}

// What a kernel reads: arrays as they lie in memory, or one and an atom.
struct Arguments {
  kernels::Form form;
  ElementType type_w, type_x;
  const void* w;
  const void* x;
  std::size_t length;
};

// Computes all anew with a kernel that reads the same and whose results always fit. Gives the absent value where there is none.
[[gnu::noinline]] Value in_wider_type(Heap& heap, const DyadRule& rule, const Arguments& a, ElementType narrow) {
  const ElementType read = a.form == kernels::scalar_array ? a.type_x : a.type_w;
  DyadStep step;
  if (!is_number(a.type_w) || !is_number(a.type_x) || !rule.step(a.type_w, a.type_x, 1, step)) return Value();
  if (step.w != read || step.x != read || step.result <= narrow) return Value();
  Value result(make_results(heap, step.result, a.length));
  if (step.forms[a.form](result.array().data, a.w, a.x, a.length) != a.length) return Value();
  return result;
}

inline Value computed(Heap& heap, const DyadRule& rule, const DirectDyad& way, const Arguments& a) {
  Array* made = make_results(heap, way.result, a.length);
  if (way.kernel(made->data.here(), a.w, a.x, a.length) == a.length) [[likely]]
    return Value(made);
  release(made);
  return in_wider_type(heap, rule, a, way.result);
}

// Gives the narrowest type that holds the number.
inline ElementType type_of(double d, std::int32_t& integer) {
  if (!(std::fabs(d) < 2147483648.0)) return ElementType::f64;
  integer = static_cast<std::int32_t>(d);
  if (std::bit_cast<std::uint64_t>(static_cast<double>(integer)) != std::bit_cast<std::uint64_t>(d)) return ElementType::f64;
  if (integer == static_cast<std::int8_t>(integer))
    return static_cast<std::uint32_t>(integer) < 2 ? ElementType::bit : ElementType::i8;
  return integer == static_cast<std::int16_t>(integer) ? ElementType::i16 : ElementType::i32;
}

inline Value with_atom(Context& cx, const DyadRule& rule, const DirectDyads& ways, const Value& w, const Value& x,
                       kernels::Form form) {
  const Array& a = (form == kernels::array_scalar ? w : x).array();
  const Value& atom = form == kernels::array_scalar ? x : w;
  if (a.length - 1 >= longest || !is_plain_list(a)) return Value();
  ElementType type = ElementType::f64;
  std::int32_t integer = 0;
  if (atom.is_number()) {
    if (a.type() != ElementType::f64) type = type_of(atom.number(), integer);
  } else if (atom.is_character()) {
    integer = static_cast<std::int32_t>(atom.character());
    type = integer < 256 ? ElementType::c8 : integer < 65536 ? ElementType::c16 : ElementType::c32;
  } else {
    return Value();
  }
  const ElementType type_w = form == kernels::array_scalar ? a.type() : type,
                    type_x = form == kernels::array_scalar ? type : a.type();
  const DirectDyad& way = ways.find(form, type_w, type_x);
  if (way.kernel == nullptr) [[unlikely]]
    return a.type() == ElementType::bit ? bits_with_number(cx, rule, w, x) : Value();
  // The first bytes of an integer are the narrower integer; a bit is a word of equal bits.
  static_assert(std::endian::native == std::endian::little);
  std::int64_t one = way.atom == ElementType::bit ? -std::int64_t{integer} : std::int64_t{integer};
  if (way.atom == ElementType::f64) one = std::bit_cast<std::int64_t>(atom.number());
  const bool left = form == kernels::array_scalar;
  return computed(cx.heap, rule, way,
                  {form, type_w, type_x, left ? a.data.get() : static_cast<const void*>(&one),
                   left ? static_cast<const void*>(&one) : a.data.get(), a.length});
}

}  // namespace

Value long_lists(Context& cx, const DyadRule& rule, const DirectDyads& ways, const Value& w, const Value& x) {
  if (!w.is_array()) return with_atom(cx, rule, ways, w, x, kernels::scalar_array);
  if (!x.is_array()) return with_atom(cx, rule, ways, w, x, kernels::array_scalar);
  const Array& a = w.array();
  const Array& b = x.array();
  if (a.length != b.length || a.length - 1 >= longest || !is_plain_list(a) || !is_plain_list(b)) return Value();
  const DirectDyad& way = ways.find(kernels::array_array, a.type(), b.type());
  if (way.kernel == nullptr) return Value();
  return computed(cx.heap, rule, way, {kernels::array_array, a.type(), b.type(), a.data.get(), b.data.get(), a.length});
}

}  // namespace griddle::primitives
