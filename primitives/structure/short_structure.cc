// Pieces, joins and other arrangements of short arrays: a new array and a copy of a few bytes.
#include "primitives/structure/short_structure.h"

#include <algorithm>
#include <cstring>

#include "primitives/common/at_hand.h"
#include "primitives/common/element_place.h"
#include "primitives/common/elements.h"
#include "primitives/common/indexing.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/kernels/elementwise/equal_bytes.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/structure/match.h"
#include "primitives/structure/plain_structure.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

namespace {

// Longer arrays may be the device's business, and are not worth a way of their own.
constexpr std::size_t longest_short = 1024;
bool is_short(const Array& a) { return a.length <= longest_short; }

// Tells whether an array is a list whose fill, if it has one, is that of plain elements.
bool is_simple_list(const Array& a) { return a.is_list() && a.fill_kind() <= FillKind::space; }

Value with_fill_of(const Array& a, Value result) {
  result.array().flags = static_cast<std::uint8_t>((result.array().flags & ~Array::fill_mask) | (a.flags & Array::fill_mask));
  return result;
}

// Copies bits that begin within a word.
Value bits_from(Context& cx, const Array& a, std::size_t start, std::size_t count) {
  Array* const bits = make_plain_list(cx.heap, ElementType::bit, count);
  kernels::copy_bits(reinterpret_cast<std::uint64_t*>(bits->data.here()), 0, a.as<std::uint64_t>(), start, count);
  return Value(bits);
}

// Gives `count` major cells from `start` on.
std::uint64_t cells_from_here(Context& cx, const Value& x, std::size_t start, std::size_t count) {
  const Array& a = x.array();
  if (a.type() == ElementType::bit && start % 64 != 0 && is_plain_list(a)) return bits_from(cx, a, start, count).leak();
  if (a.is_list()) return slice(cx.heap, x, start, count).leak();
  if (a.rank() == 2 && a.type() != ElementType::boxed && a.type() != ElementType::bit && has_plain_fill(a) &&
      !a.data.elsewhere()) {
    // Rows of a short table are copied: that takes no longer than to say where they lie.
    const std::size_t columns = a.shape()[1], row_bytes = columns * bits_of(a.type()) / 8;
    constexpr std::size_t most_bytes = 512;
    if (count * row_bytes <= most_bytes) {
      Array* rows = make_plain_table(cx.heap, a.type(), count, columns);
      std::memcpy(rows->data.here(), a.data.here() + start * row_bytes, count * row_bytes);
      return Value(rows).leak();
    }
  }
  Shape shape(a.shape());
  shape[0] = count;
  return slice(cx.heap, x, start * a.cell_length(), shape).leak();
}

// Tells whether a value has cells, but not many elements.
bool has_few_cells(const Value& x) { return x.is_array() && x.array().rank() != 0 && is_short(x.array()); }
// Tells whether a value has cells of which no device has something to say.
bool has_cells_here(const Context& cx, const Value& x) {
  return x.is_array() && x.array().rank() != 0 && (cx.device == nullptr || is_short(x.array()));
}

constexpr std::size_t most_short_boxes = 64;

// Tells whether a value is a list of boxes without a fill.
bool is_list_of_boxes(const Value& v) {
  return v.is_array() && v.array().is_list() && v.array().type() == ElementType::boxed && v.array().fill_kind() == FillKind::none;
}

// Copies an atom, or the elements of a list, to boxes that hold nothing yet.
void put_boxes(Array& to, std::size_t at, const Value& v) {
  if (v.is_atom())
    new (to.as<Value>() + at) Value(v);
  else
    copy_run(to, at, v.array(), 0, v.array().length);
}

// Joins a list of boxes to a list or a single element. Where one of them has no fill, the result has none.
std::uint64_t join_boxes(Context& cx, const Value& w, const Value& x) {
  const auto length = [](const Value& v) -> std::size_t {
    if (v.is_atom()) return v.is_mark() ? 0 : 1;
    return v.array().rank() <= 1 ? v.array().length : 0;
  };
  const std::size_t left = length(w), right = length(x);
  if (left == 0 || right == 0 || left + right > most_short_boxes || (!is_list_of_boxes(w) && !is_list_of_boxes(x)))
    return declined;
  Ref<Array> result = make_list(cx.heap, ElementType::boxed, left + right);
  put_boxes(*result, 0, w);
  put_boxes(*result, left, x);
  return to_value(std::move(result)).leak();
}

// Copies elements to a list of plain elements of a type that holds them.
void copy_short(Array& to, std::size_t at, const Array& from) {
  if (from.length == 0) return;
  if (to.type() == ElementType::bit) {
    kernels::copy_bits(to.as<std::uint64_t>(), at, from.as<std::uint64_t>(), 0, from.length);
  } else if (to.type() == from.type()) {
    const unsigned shift = log2_bits_of(to.type()) - 3;
    copy_piece(to.data.here() + (at << shift), from.data, from.length << shift);
  } else {
    copy_elements(to, at, from, 0, from.length);
  }
}

// Tells whether two lists make one of numbers, whose fill is 0 even where nothing is known: as in lists that begin as ⟨⟩.
bool holds_numbers(const Array& a, const Array& b) {
  const auto fits = [](const Array& of) { return is_number(of.type()) && of.fill_kind() <= FillKind::zero; };
  return fits(a) && fits(b) && a.length + b.length != 0;
}

// Joins the rows of two short tables of plain elements, or such a table and one more row.
std::uint64_t join_rows(Context& cx, const Array& a, const Array& b) {
  const bool table_left = is_plain_table(a), table_right = is_plain_table(b);
  if ((!table_left && !is_plain_list(a)) || (!table_right && !is_plain_list(b)) || !is_short(a) || !is_short(b)) return declined;
  const std::size_t columns = table_left ? a.shape()[1] : b.shape()[1];
  if (columns == 0 || (table_left ? b.shape().back() : a.length) != columns || is_number(a.type()) != is_number(b.type()))
    return declined;
  const std::size_t rows = (table_left ? a.shape()[0] : 1) + (table_right ? b.shape()[0] : 1);
  const ElementType type = a.length == 0 ? b.type() : b.length == 0 ? a.type() : wider(a.type(), b.type());
  Array* table = make_plain_table(cx.heap, type, rows, columns);
  copy_short(*table, 0, a);
  copy_short(*table, a.length, b);
  return Value(table).leak();
}

std::uint64_t join_lists(Context& cx, const Value& w, const Value& x) {
  const Array &a = w.array(), &b = x.array();
  if (a.rank() == 2 || b.rank() == 2) return join_rows(cx, a, b);
  if (a.type() == ElementType::boxed || b.type() == ElementType::boxed) return join_boxes(cx, w, x);
  if (!is_simple_list(a) || !is_simple_list(b) || !is_short(a) || !is_short(b)) return declined;
  const bool numbers = holds_numbers(a, b);
  if (a.fill_kind() != b.fill_kind() && !numbers) return declined;
  // What is empty has a type that says nothing.
  if (a.length == 0 && (!numbers || b.fill_kind() == FillKind::zero)) return Value(x).leak();
  if (b.length == 0 && (!numbers || a.fill_kind() == FillKind::zero)) return Value(w).leak();
  if (a.type() != b.type() && is_number(a.type()) != is_number(b.type())) return declined;
  const ElementType type = a.length == 0 ? b.type() : b.length == 0 ? a.type() : wider(a.type(), b.type());
  Value result(make_plain_list(cx.heap, type, a.length + b.length));
  copy_short(result.array(), 0, a);
  copy_short(result.array(), a.length, b);
  return numbers ? result.leak() : with_fill_of(a, std::move(result)).leak();
}

}  // namespace

std::uint64_t short_ravel(Context& cx, const Value& x) {
  if (!x.is_array()) return declined;
  const Array& a = x.array();
  if (a.is_list()) return Value(x).leak();
  return is_short(a) && !a.unique() ? slice(cx.heap, x, 0, a.length).leak() : declined;
}

std::uint64_t short_first(Context&, const Value& x) {
  if (!x.is_array()) return declined;
  const Array& a = x.array();
  return a.length != 0 && !a.data.elsewhere() ? element(a, 0).leak() : declined;
}

std::uint64_t short_first_cell(Context& cx, const Value& x) {
  if (!x.is_array() || !x.array().is_list() || x.array().length == 0 || !is_short(x.array())) return declined;
  return slice(cx.heap, x, 0, std::span<const std::size_t>()).leak();
}

std::uint64_t short_join(Context& cx, const Value& w, const Value& x) {
  if (w.is_array() && x.is_array()) return join_lists(cx, w, x);
  if (!w.is_array() && !x.is_array()) return declined;
  const Array& a = (w.is_array() ? w : x).array();
  const Value& atom = w.is_array() ? x : w;
  if (a.type() == ElementType::boxed) return join_boxes(cx, w, x);
  if (!is_simple_list(a) || !is_short(a) || !(atom.is_number() || atom.is_character())) return declined;
  const bool numbers = atom.is_number() && is_number(a.type()) && a.fill_kind() <= FillKind::zero;
  if (a.length == 0 ? !numbers && a.fill_kind() != (atom.is_number() ? FillKind::zero : FillKind::space)
                    : atom.is_number() != is_number(a.type()))
    return declined;
  const ElementType type = element_type_of(atom);
  Value result(make_plain_list(cx.heap, a.length == 0 ? type : wider(a.type(), type), a.length + 1));
  copy_short(result.array(), w.is_array() ? 0 : 1, a);
  store(result.array(), w.is_array() ? a.length : 0, atom);
  return numbers ? result.leak() : with_fill_of(a, std::move(result)).leak();
}

namespace {

// Takes more than a plain list has: zeros or spaces follow.
std::uint64_t padded(Context& cx, const Array& a, std::size_t n) {
  if (n > longest_short || !is_plain_list(a) || a.length > n || a.data.elsewhere()) return declined;
  const ElementType type = a.type();
  Array* result = make_plain_list(cx.heap, type, n);
  std::uint8_t* to = result->data.here();
  if (type == ElementType::bit) {
    const std::size_t words = a.length / 64, rest = a.length % 64;
    std::memcpy(to, a.data.here(), words * 8);
    std::memset(to + words * 8, 0, (n + 63) / 64 * 8 - words * 8);
    if (rest != 0) result->as<std::uint64_t>()[words] = a.as<std::uint64_t>()[words] & ((std::uint64_t{1} << rest) - 1);
    return Value(result).leak();
  }
  const std::size_t width = bits_of(type) / 8;
  std::memcpy(to, a.data.here(), a.length * width);
  if (is_number(type) || type == ElementType::c8)
    std::memset(to + a.length * width, is_number(type) ? 0 : ' ', (n - a.length) * width);
  else if (type == ElementType::c16)
    std::fill_n(result->as<std::uint16_t>() + a.length, n - a.length, std::uint16_t{' '});
  else
    std::fill_n(result->as<char32_t>() + a.length, n - a.length, U' ');
  return Value(result).leak();
}

}  // namespace

std::uint64_t short_take(Context& cx, const Value& w, const Value& x) {
  std::int32_t n;
  if (!has_cells_here(cx, x) || !is_small_integer(w, n)) return declined;
  const std::size_t cells = x.array().cells(), count = magnitude(n);
  if (count > cells) return n > 0 ? padded(cx, x.array(), count) : declined;
  return cells_from_here(cx, x, n < 0 ? cells - count : 0, count);
}

std::uint64_t short_drop(Context& cx, const Value& w, const Value& x) {
  std::int32_t n;
  if (!has_cells_here(cx, x) || !is_small_integer(w, n)) return declined;
  const std::size_t cells = x.array().cells(), count = std::min(magnitude(n), cells);
  return cells_from_here(cx, x, n < 0 ? 0 : count, cells - count);
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
bool select_elements(T* to, const Array& from, const Array& indices) {
  if (indices.type() == ElementType::bit) {
    if (from.length < 2) return false;
    for (std::size_t k = 0; k < indices.length; k++) to[k] = from.as<T>()[indices.bit(k)];
    return true;
  }
  const auto by = [&]<class I>(I) { return select_elements(to, from.as<T>(), from.length, indices.as<I>(), indices.length); };
  switch (indices.type()) {
    case ElementType::i8: return by(std::int8_t{});
    case ElementType::i16: return by(std::int16_t{});
    default: return by(std::int32_t{});
  }
}

constexpr std::size_t most_indices = 32;

// Selects boxes; numbers among them make a list of numbers, with their fill.
std::uint64_t select_few_boxes(Context& cx, const Array& indices, const Array& from) {
  // Values as words, which count no references yet.
  std::uint64_t words[most_indices];
  if (!select_elements(words, from, indices)) return declined;
  const std::span<Value> values(reinterpret_cast<Value*>(words), indices.length);
  if (indices.length != 0 && from.fill_kind() == FillKind::none &&
      std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_number(); }))
    return make_values(cx.heap, values).leak();
  Ref<Array> result = make_list(cx.heap, ElementType::boxed, indices.length);
  std::memcpy(static_cast<void*>(result->data), words, indices.length * sizeof(Value));
  share_elements(*result, 0, indices.length);
  return with_fill_of(from, to_value(std::move(result))).leak();
}

// Selects by a few places; declines where one is none.
std::uint64_t select_few(Context& cx, const Array& indices, const Array& from) {
  if (!indices.is_list() || indices.length > most_indices || !is_simple_list(from) || from.type() == ElementType::bit ||
      indices.type() > ElementType::i32)
    return declined;
  if (from.type() == ElementType::boxed) return select_few_boxes(cx, indices, from);
  Array* const list = make_plain_list(cx.heap, from.type(), indices.length);
  Value result(list);
  const bool selected = [&] {
    switch (bits_of(from.type())) {
      case 8: return select_elements(list->as<std::uint8_t>(), from, indices);
      case 16: return select_elements(list->as<std::uint16_t>(), from, indices);
      case 32: return select_elements(list->as<std::uint32_t>(), from, indices);
      default: return select_elements(list->as<std::uint64_t>(), from, indices);
    }
  }();
  return selected ? with_fill_of(from, std::move(result)).leak() : declined;
}

}  // namespace

std::uint64_t short_select(Context& cx, const Value& w, const Value& x) {
  if (has_few_cells(x)) {
    const Array& from = x.array();
    if (w.is_array() && w.array().is_list() && w.array().length == 0) return cells_from_here(cx, x, 0, 0);
    if (w.is_array()) {
      if (const std::uint64_t selected = select_few(cx, w.array(), from); selected != declined) return selected;
    } else if (std::size_t i; finds(w, from.cells(), i)) {
      return from.is_list() ? slice(cx.heap, x, i, std::span<const std::size_t>()).leak()
                            : slice(cx.heap, x, i * from.cell_length(), from.shape().subspan(1)).leak();
    }
  }
  return select_plainly(cx, w, x).leak();
}

std::uint64_t short_pick(Context&, const Value& w, const Value& x) {
  if (!x.is_array()) return declined;
  const Array& a = x.array();
  std::size_t i;
  if (!w.is_array()) return a.is_list() && finds(w, a.length, i) && !a.data.elsewhere() ? element(a, i).leak() : declined;
  return !a.data.elsewhere() && find_place(w.array(), a, i) ? element(a, i).leak() : declined;
}

namespace {

// Tells whether two values match; `both` where they are short, so that there is an answer.
bool match_shortly(Context& cx, const Value& w, const Value& x, bool& both) {
  if (w.is_array() && x.is_array()) {
    both = is_short(w.array()) && is_short(x.array());
    return both && matches(cx, w, x);
  }
  both = !w.is_mark() && !x.is_mark();
  return both && !w.is_array() && !x.is_array() && equal_atoms(w, x);
}

// Tells whether both are arrays of one rank and type, whose elements match where their bytes do.
bool match_by_bytes(const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array()) return false;
  const Array &a = w.array(), &b = x.array();
  const ElementType type = a.type();
  return PlainList::described(a) == PlainList::described(b) && type != ElementType::bit && type != ElementType::f64 &&
         type != ElementType::boxed && is_short(a) && is_short(b);
}

}  // namespace

namespace {

// Tells whether two arrays are lists of numbers that begin with different ones.
bool first_numbers_differ(const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array()) return false;
  const Array &a = w.array(), &b = x.array();
  if (!is_number(a.type()) || !is_number(b.type()) || !a.is_list() || !b.is_list() || a.data.elsewhere() || b.data.elsewhere())
    return false;
  return a.length != 0 && b.length != 0 && number_at(a, 0) != number_at(b, 0);
}

}  // namespace

std::uint64_t short_match(Context& cx, const Value& w, const Value& x) {
  if (match_by_bytes(w, x)) {
    const Array &a = w.array(), &b = x.array();
    const bool fit = a.length == b.length && (a.rank() <= 1 || same_shape(a.shape(), b.shape()));
    return Value(fit && kernels::equal_bytes(a.data, b.data, a.length << (log2_bits_of(a.type()) - 3))).leak();
  }
  if (first_numbers_differ(w, x)) return Value(false).leak();
  bool both;
  const bool match = match_shortly(cx, w, x, both);
  return both ? Value(match).leak() : declined;
}
std::uint64_t short_unlike(Context& cx, const Value& w, const Value& x) {
  const Value match = Value::from_bits(short_match(cx, w, x));
  return match.is_absent() ? declined : Value(match.number() == 0).leak();
}

std::uint64_t short_rotate(Context& cx, const Value& w, const Value& x) {
  std::int32_t n;
  if (!has_few_cells(x) || x.array().length == 0 || !is_small_integer(w, n)) return declined;
  const Array& a = x.array();
  const std::int32_t cells = static_cast<std::int32_t>(a.cells());
  n %= cells;
  if (n == 0) return Value(x).leak();
  const std::size_t moved = static_cast<std::size_t>(n < 0 ? n + cells : n) * a.cell_length();
  if (a.type() != ElementType::bit && is_plain_list(a)) {
    const unsigned shift = log2_bits_of(a.type()) - 3;
    const std::size_t first = moved << shift, all = a.length << shift;
    Array* result = make_plain_list(cx.heap, a.type(), a.length);
    copy_piece(result->data.here(), a.data + first, all - first);
    copy_piece(result->data.here() + all - first, a.data, first);
    return Value(result).leak();
  }
  Ref<Array> result = make_like(cx.heap, a.type(), a);
  copy_run(*result, 0, a, moved, a.length - moved);
  copy_run(*result, a.length - moved, a, 0, moved);
  return with_fill_like(cx.heap, to_value(std::move(result)), x).leak();
}

namespace {

// Reads at most two lengths, of which ∘ leaves one to an array's length.
struct ShortShape {
  std::size_t lengths[2];
  std::size_t rank = 0, length = 1;
  std::size_t computed = std::size(lengths);  // the axis with ∘

  bool read(const Value& v) {
    std::int32_t n;
    if (!is_small_integer(v, n)) {
      if (computed < rank || !v.is_modifier() || glyph_of(v) != U'∘') return false;
      computed = rank;
      n = 1;
    }
    if (n < 0) return false;
    length *= lengths[rank++] = static_cast<std::size_t>(n);
    return true;
  }
  // Reads lengths for an array of so many elements.
  bool read_all(const Value& w, std::size_t given) {
    if (!w.is_array()) return read(w) && computed == std::size(lengths);
    const Array& a = w.array();
    if (!a.is_list() || a.length > std::size(lengths) || is_character(a.type()) || a.data.elsewhere()) return false;
    for (std::size_t k = 0; k < a.length; k++)
      if (!(a.type() == ElementType::boxed ? read(a.boxes()[k]) : read(plain_element(a, k)))) return false;
    if (computed == std::size(lengths)) return true;
    if (length == 0 || given % length != 0) return false;
    lengths[computed] = given / length;
    length = given;
    return true;
  }
  std::span<const std::size_t> shape() const { return {lengths, rank}; }
};

Value make_equal(Context& cx, const ShortShape& shape, const Value& x) {
  const ElementType type = element_type_of(x);
  Value result = shape.rank == 1 && type != ElementType::boxed ? Value(make_plain_list(cx.heap, type, shape.length))
                                                               : to_value(make_array(cx.heap, type, shape.shape()));
  fill_run(result.array(), 0, shape.length, x);
  return result;
}

}  // namespace

std::uint64_t short_pair(Context& cx, const Value& w, const Value& x) {
  if (w.is_mark() || x.is_mark()) return declined;
  // What has another shape brings no fill along.
  const bool unlike = !w.is_array() || !x.is_array() || w.array().rank() != x.array().rank() ||
                      (w.array().is_list() && w.array().length != x.array().length);
  return unlike ? make_pair(cx.heap, w, x).leak() : declined;
}

namespace {

constexpr std::size_t most_row_bytes = 256;

// Tells whether a value is a plain list of few bytes. Empty ones may have a fill of another kind.
bool is_short_row(const Value& v) {
  return v.is_array() && is_plain_list(v.array()) && v.array().length != 0 &&
         v.array().length << log2_bits_of(v.array().type()) <= 8 * most_row_bytes && !v.array().data.elsewhere();
}

}  // namespace

std::uint64_t short_solo(Context& cx, const Value& x) {
  if (x.is_number() || x.is_character()) {
    Array* list = make_plain_list(cx.heap, element_type_of(x), 1);
    if (list->type() == ElementType::bit)
      *list->as<std::uint64_t>() = x.number() != 0;
    else
      store_atom(list->type(), list->data.here(), x);
    return Value(list).leak();
  }
  if (!x.is_array() || !is_plain_list(x.array()) || !is_short(x.array()) || x.array().length == 0) return declined;
  const Array& a = x.array();
  constexpr std::size_t copied_bits = 1024;
  if (a.length << log2_bits_of(a.type()) > copied_bits || a.data.elsewhere()) {
    const std::size_t shape[] = {1, a.length};
    return with_shape(cx.heap, x, shape).leak();
  }
  Array* table = make_plain_table(cx.heap, a.type(), 1, a.length);
  std::memcpy(table->data.here(), a.data.here(), ((a.length << log2_bits_of(a.type())) + 63) / 64 * 8);
  return Value(table).leak();
}

std::uint64_t short_couple(Context& cx, const Value& w, const Value& x) {
  if (!is_short_row(w) || !is_short_row(x)) return declined;
  const Array &a = w.array(), &b = x.array();
  if (a.length != b.length || is_number(a.type()) != is_number(b.type())) return declined;
  Array* table = make_plain_table(cx.heap, wider(a.type(), b.type()), 2, a.length);
  copy_short(*table, 0, a);
  copy_short(*table, a.length, b);
  return Value(table).leak();
}

std::uint64_t short_reshape(Context& cx, const Value& w, const Value& x) {
  // An array that nobody else holds takes another shape itself.
  if (x.is_mark() || (x.is_array() && (x.array().unique() || (cx.device != nullptr && !is_short(x.array()))))) return declined;
  ShortShape to;
  if (!to.read_all(w, length_of(x))) return declined;
  if (!x.is_array()) return to.length <= longest_short ? make_equal(cx, to, x).leak() : declined;
  const Array& a = x.array();
  if (to.length == a.length) return with_shape(cx.heap, x, to.shape()).leak();
  if (to.length < a.length) return slice(cx.heap, x, 0, to.shape()).leak();
  if (to.length > longest_short || a.length == 0 || to.rank != 1 || !is_plain_list(a)) return declined;
  Value repeated(make_plain_list(cx.heap, a.type(), to.length));
  copy_short(repeated.array(), 0, a);
  repeat_run(repeated.array(), a, to.length);
  return repeated.leak();
}

}  // namespace griddle::primitives
