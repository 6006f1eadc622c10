// Pieces and joins of short lists: a new list and a copy of a few bytes.
#include "primitives/short_structure.h"

#include <cstring>

#include "runtime/value/array.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t most_bytes = 64;

// Tells whether an array is a list of elements that are bytes, with the plain fill or none.
bool is_plain(const Array& a) {
  const ElementType t = a.type();
  return a.rank() == 1 && t != ElementType::boxed && t != ElementType::bit &&
         (a.fill_kind() == FillKind::none || a.fill_kind() == (is_number(t) ? FillKind::zero : FillKind::space));
}

Value with_fill_of(const Array& a, Ref<Array> result) {
  if (a.fill_kind() == FillKind::none) result->flags &= static_cast<std::uint8_t>(~Array::fill_mask);
  return to_value(std::move(result));
}

// Stores an atom that the type holds, and tells whether it does.
bool store_atom(ElementType type, unsigned char* to, const Value& v) {
  const auto stored = [&]<class T>(double d, T) {
    const T t = static_cast<T>(d);
    std::memcpy(to, &t, sizeof t);
    return true;
  };
  if (is_character(type)) {
    if (!v.is_character()) return false;
    const char32_t c = v.character();
    if (type == ElementType::c8) return c < 0x100 && stored(c, std::uint8_t{});
    if (type == ElementType::c16) return c < 0x10000 && stored(c, std::uint16_t{});
    return stored(c, char32_t{});
  }
  if (!v.is_number()) return false;
  const double d = v.number();
  if (type == ElementType::f64) return stored(d, double{});
  if (!(d >= -2147483648.0 && d <= 2147483647.0)) return false;
  const std::int32_t i = static_cast<std::int32_t>(d);
  if (i != d) return false;
  if (type == ElementType::i8) return i == static_cast<std::int8_t>(i) && stored(d, std::int8_t{});
  if (type == ElementType::i16) return i == static_cast<std::int16_t>(i) && stored(d, std::int16_t{});
  return stored(d, std::int32_t{});
}

Value piece(Context& cx, const Array& a, std::size_t from, std::size_t count) {
  const std::size_t width = bits_of(a.type()) / 8;
  Ref<Array> result = make_list(cx.heap, a.type(), count);
  std::memcpy(result->data, a.data + from * width, count * width);
  return with_fill_of(a, std::move(result));
}

// Reads the number in 𝕨 and a list short enough in 𝕩.
bool reads(const Value& w, const Value& x, std::int64_t& n) {
  return x.is_array() && is_plain(x.array()) && bytes_for(x.array().type(), x.array().length) <= most_bytes && w.to_integer(n);
}

}  // namespace

Value short_join(Context& cx, const Value& w, const Value& x) {
  const Value& list = w.is_array() ? w : x;
  const Array& a = list.array();
  // What is empty has a type that says nothing.
  if (!is_plain(a) || a.length == 0) return Value();
  const ElementType type = a.type();
  const std::size_t width = bits_of(type) / 8;
  if (w.is_array() && x.is_array()) {
    const Array& b = x.array();
    if (b.type() != type || !is_plain(b) || a.fill_kind() != b.fill_kind() || b.length == 0 ||
        (a.length + b.length) * width > most_bytes)
      return Value();
    Ref<Array> result = make_list(cx.heap, type, a.length + b.length);
    std::memcpy(result->data, a.data, a.length * width);
    std::memcpy(result->data + a.length * width, b.data, b.length * width);
    return with_fill_of(a, std::move(result));
  }
  unsigned char atom[8];
  if ((a.length + 1) * width > most_bytes || !store_atom(type, atom, w.is_array() ? x : w)) return Value();
  Ref<Array> result = make_list(cx.heap, type, a.length + 1);
  std::memcpy(result->data + (w.is_array() ? 0 : width), a.data, a.length * width);
  std::memcpy(result->data + (w.is_array() ? a.length * width : 0), atom, width);
  return with_fill_of(a, std::move(result));
}

Value short_take(Context& cx, const Value& w, const Value& x) {
  std::int64_t n;
  if (!reads(w, x, n)) return Value();
  const Array& a = x.array();
  const std::int64_t length = static_cast<std::int64_t>(a.length);
  if (n > length || -n > length) return Value();
  return n < 0 ? piece(cx, a, static_cast<std::size_t>(length + n), static_cast<std::size_t>(-n))
               : piece(cx, a, 0, static_cast<std::size_t>(n));
}

Value short_drop(Context& cx, const Value& w, const Value& x) {
  std::int64_t n;
  if (!reads(w, x, n)) return Value();
  const Array& a = x.array();
  const std::int64_t length = static_cast<std::int64_t>(a.length);
  if (n > length || -n > length) return Value();
  return n < 0 ? piece(cx, a, 0, static_cast<std::size_t>(length + n))
               : piece(cx, a, static_cast<std::size_t>(n), static_cast<std::size_t>(length - n));
}

Value short_select(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array() || !is_plain(w.array()) || !is_plain(x.array())) return Value();
  const Array& indices = w.array();
  const Array& from = x.array();
  const std::size_t width = bits_of(from.type()) / 8;
  if (indices.type() != ElementType::i8 || indices.length * width > most_bytes) return Value();
  Ref<Array> result = make_list(cx.heap, from.type(), indices.length);
  const std::int64_t length = static_cast<std::int64_t>(from.length);
  for (std::size_t k = 0; k < indices.length; k++) {
    std::int64_t i = indices.as<std::int8_t>()[k];
    if (i < 0) i += length;
    if (i < 0 || i >= length) return Value();
    std::memcpy(result->data + k * width, from.data + static_cast<std::size_t>(i) * width, width);
  }
  return with_fill_of(from, std::move(result));
}

}  // namespace griddle::primitives
