// Pieces, joins and other arrangements of short arrays: a new array and a copy of a few bytes.
#include "primitives/short_structure.h"
#include "primitives/plain_structure.h"

#include <algorithm>
#include <cstring>

#include "primitives/elements.h"
#include "primitives/match.h"

namespace griddle::primitives {

namespace {

constexpr std::size_t most_bytes = 256;

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

// Tells whether an array is short enough to be none of the device's business, and worth a way of its own.
bool is_short(const Array& a) {
  constexpr std::size_t longest = 1024;
  return a.length <= longest;
}

std::size_t magnitude(std::int64_t i) { return static_cast<std::size_t>(i < 0 ? -i : i); }

// Gives `count` major cells from `start` on.
Value cells_from(Context& cx, const Value& x, std::size_t start, std::size_t count) {
  const Array& a = x.array();
  if (a.is_list()) return slice(cx.heap, x, start, count);
  Shape shape(a.shape());
  shape[0] = count;
  return slice(cx.heap, x, start * a.cell_length(), shape);
}

// Reads a number of cells of an array.
bool reads(const Value& w, const Value& x, std::int64_t& n) {
  return rank_of(x) != 0 && is_short(x.array()) && w.to_integer(n) && magnitude(n) <= x.array().cells();
}

// Finds a number among [−n, n) as an index of n cells.
bool finds(const Value& v, std::size_t n, std::size_t& index) {
  std::int64_t i;
  if (!v.to_integer(i)) return false;
  if (i < 0) i += static_cast<std::int64_t>(n);
  index = static_cast<std::size_t>(i);
  return i >= 0 && index < n;
}

}  // namespace

namespace {

constexpr std::size_t most_boxes = 64;

// A run of elements as boxes.
std::span<const Value> as_boxes(const Value& v) {
  if (v.is_atom()) return {&v, 1};
  return v.array().rank() <= 1 && v.array().type() == ElementType::boxed ? v.array().boxes() : std::span<const Value>();
}

// Joins lists of boxes, or one and a single element. Where one of them has no fill, the result has none.
Value join_boxes(Context& cx, const Value& w, const Value& x) {
  const auto is_list = [](const Value& v) {
    return v.is_array() && v.array().is_list() && v.array().type() == ElementType::boxed &&
           v.array().fill_kind() == FillKind::none;
  };
  if (w.is_mark() || x.is_mark() || (!is_list(w) && !is_list(x))) return Value();
  const std::span<const Value> left = as_boxes(w), right = as_boxes(x);
  if (left.empty() || right.empty() || left.size() + right.size() > most_boxes) return Value();
  Ref<Array> result = make_list(cx.heap, ElementType::boxed, left.size() + right.size());
  Value* to = std::copy(left.begin(), left.end(), result->as<Value>());
  std::copy(right.begin(), right.end(), to);
  return to_value(std::move(result));
}

}  // namespace

Value short_join(Context& cx, const Value& w, const Value& x) {
  const Value& list = w.is_array() ? w : x;
  const Array& a = list.array();
  if (a.type() == ElementType::boxed || (x.is_array() && x.array().type() == ElementType::boxed)) return join_boxes(cx, w, x);
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

namespace {

// Takes more than a plain list has: zeros or spaces follow.
Value padded(Context& cx, const Array& a, std::size_t n) {
  constexpr std::size_t longest = 1024;
  if (n > longest || !is_plain_list(a) || a.length > n || a.data.elsewhere()) return Value();
  const ElementType type = a.type();
  Array* result = make_plain_list(cx.heap, type, n);
  std::uint8_t* to = result->data.here();
  if (type == ElementType::bit) {
    const std::size_t words = a.length / 64, rest = a.length % 64;
    std::memcpy(to, a.data.here(), words * 8);
    std::memset(to + words * 8, 0, (n + 63) / 64 * 8 - words * 8);
    if (rest != 0) result->as<std::uint64_t>()[words] = a.as<std::uint64_t>()[words] & ((std::uint64_t{1} << rest) - 1);
    return Value(result);
  }
  const std::size_t width = bits_of(type) / 8;
  std::memcpy(to, a.data.here(), a.length * width);
  if (is_number(type) || type == ElementType::c8)
    std::memset(to + a.length * width, is_number(type) ? 0 : ' ', (n - a.length) * width);
  else if (type == ElementType::c16)
    std::fill_n(result->as<std::uint16_t>() + a.length, n - a.length, std::uint16_t{' '});
  else
    std::fill_n(result->as<char32_t>() + a.length, n - a.length, U' ');
  return Value(result);
}

}  // namespace

Value short_take(Context& cx, const Value& w, const Value& x) {
  std::int64_t n;
  if (!reads(w, x, n)) {
    const bool more = x.is_array() && w.to_integer(n) && n > 0 && static_cast<std::size_t>(n) > x.array().length;
    return more ? padded(cx, x.array(), static_cast<std::size_t>(n)) : Value();
  }
  return cells_from(cx, x, n < 0 ? x.array().cells() - magnitude(n) : 0, magnitude(n));
}

Value short_drop(Context& cx, const Value& w, const Value& x) {
  std::int64_t n;
  if (!reads(w, x, n)) return Value();
  return cells_from(cx, x, n < 0 ? 0 : magnitude(n), x.array().cells() - magnitude(n));
}

namespace {

// Copies the elements at the given places; false where one is no place.
template <class T, class I>
bool select_elements(T* to, const T* from, std::size_t length, const I* indices, std::size_t count) {
  for (std::size_t k = 0; k < count; k++) {
    std::int64_t i = indices[k];
    if (i < 0) i += static_cast<std::int64_t>(length);
    if (i < 0 || i >= static_cast<std::int64_t>(length)) return false;
    to[k] = from[i];
  }
  return true;
}

template <class T>
bool select_elements(Array& to, const Array& from, const Array& indices) {
  if (indices.type() == ElementType::bit) {
    if (from.length < 2) return false;
    for (std::size_t k = 0; k < indices.length; k++) to.as<T>()[k] = from.as<T>()[indices.bit(k)];
    return true;
  }
  // Boxes are copied as words and become shared afterwards.
  const auto by = [&]<class I>(I) {
    return select_elements(to.as<T>(), from.as<T>(), from.length, indices.as<I>(), indices.length);
  };
  switch (indices.type()) {
    case ElementType::i8: return by(std::int8_t{});
    case ElementType::i16: return by(std::int16_t{});
    default: return by(std::int32_t{});
  }
}

}  // namespace

Value short_select(Context& cx, const Value& w, const Value& x) {
  if (rank_of(x) == 0 || !is_short(x.array())) return Value();
  const Array& from = x.array();
  if (w.is_number()) {
    std::size_t i;
    if (!finds(w, from.cells(), i)) return Value();
    return slice(cx.heap, x, i * from.cell_length(), from.shape().subspan(1));
  }
  constexpr std::size_t most_indices = 32;
  const FillKind fill = from.fill_kind();
  if (!w.is_array() || !w.array().is_list() || w.array().length > most_indices || !from.is_list() ||
      from.type() == ElementType::bit || fill == FillKind::nested || fill == FillKind::of_first)
    return Value();
  const Array& indices = w.array();
  if (indices.type() > ElementType::i32) return Value();
  Ref<Array> result = make_list(cx.heap, from.type(), indices.length);
  const bool selected = [&] {
    switch (bits_of(from.type())) {
      case 8: return select_elements<std::uint8_t>(*result, from, indices);
      case 16: return select_elements<std::uint16_t>(*result, from, indices);
      case 32: return select_elements<std::uint32_t>(*result, from, indices);
      default: return select_elements<std::uint64_t>(*result, from, indices);
    }
  }();
  if (from.type() == ElementType::boxed) {
    if (!selected) {
      std::memset(static_cast<void*>(result->data), 0, indices.length * sizeof(Value));
      return Value();
    }
    share_elements(*result, 0, indices.length);
  }
  if (!selected) return Value();
  result->flags = static_cast<std::uint8_t>(fill);
  return to_value(std::move(result));
}

Value short_pick(Context&, const Value& w, const Value& x) {
  if (!x.is_array()) return Value();
  const Array& a = x.array();
  std::size_t i;
  if (w.is_number()) return a.is_list() && finds(w, a.length, i) && !a.data.elsewhere() ? element(a, i) : Value();
  if (!w.is_array() || !w.array().is_list() || !is_number(w.array().type()) || w.array().length != a.rank() || !is_short(a))
    return Value();
  std::size_t place = 0;
  for (std::size_t k = 0; k < a.rank(); k++) {
    const double length = static_cast<double>(a.shape()[k]);
    double index = number_at(w.array(), k);
    if (index < 0) index += length;
    if (!(index >= 0 && index < length)) return Value();
    i = static_cast<std::size_t>(index);
    if (static_cast<double>(i) != index) return Value();
    place = place * a.shape()[k] + i;
  }
  return element(a, place);
}

Value short_match(Context& cx, const Value& w, const Value& x) {
  if (w.is_mark() || x.is_mark()) return Value();
  const bool short_enough = (!w.is_array() || is_short(w.array())) && (!x.is_array() || is_short(x.array()));
  return short_enough ? Value(matches(cx, w, x)) : Value();
}
Value short_unlike(Context& cx, const Value& w, const Value& x) {
  const Value same = short_match(cx, w, x);
  return same.is_absent() ? Value() : Value(same.number() == 0);
}

Value short_rotate(Context& cx, const Value& w, const Value& x) {
  std::int64_t n;
  if (rank_of(x) == 0 || x.array().length == 0 || !is_short(x.array()) || !w.to_integer(n)) return Value();
  const Array& a = x.array();
  const std::int64_t cells = static_cast<std::int64_t>(a.cells());
  n %= cells;
  if (n == 0) return x;
  const std::size_t moved = static_cast<std::size_t>(n < 0 ? n + cells : n) * a.cell_length();
  Ref<Array> result = make_like(cx.heap, a.type(), a);
  copy_run(*result, 0, a, moved, a.length - moved);
  copy_run(*result, a.length - moved, a, 0, moved);
  return with_fill_like(cx.heap, to_value(std::move(result)), x);
}

Value short_reshape(Context& cx, const Value& w, const Value& x) {
  constexpr std::size_t longest = 1024;
  // An array that nobody else holds takes another shape itself.
  if (w.is_mark() || x.is_mark() || (x.is_array() && (!is_short(x.array()) || x.array().unique()))) return Value();
  std::size_t shape[2], rank = 0, length = 1;
  const auto reads_length = [&](const Value& v) {
    std::int64_t n;
    if (!v.to_integer(n) || n < 0 || n > static_cast<std::int64_t>(longest)) return false;
    length *= shape[rank++] = static_cast<std::size_t>(n);
    return true;
  };
  if (w.is_array()) {
    const Array& lengths = w.array();
    if (!lengths.is_list() || lengths.length > std::size(shape) || !is_number(lengths.type())) return Value();
    for (std::size_t k = 0; k < lengths.length; k++)
      if (!reads_length(number_at(lengths, k))) return Value();
  } else if (!reads_length(w)) {
    return Value();
  }
  const std::span<const std::size_t> result_shape{shape, rank};
  if (x.is_array()) {
    if (length == x.array().length) return with_shape(cx.heap, x, result_shape);
    return length < x.array().length ? slice(cx.heap, x, 0, result_shape) : Value();
  }
  if (length > longest) return Value();
  Ref<Array> result = make_array(cx.heap, element_type_of(x), result_shape);
  fill_run(*result, 0, length, x);
  return to_value(std::move(result));
}

}  // namespace griddle::primitives
