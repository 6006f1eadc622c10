// First cell and Select ⊏, First and Pick ⊑.
#include "primitives/kernels/moves/select.h"

#include <algorithm>
#include <cmath>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/element_place.h"
#include "primitives/common/elements.h"
#include "primitives/common/indexing.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/structure/plain_structure.h"
#include "runtime/value/array_builder.h"

namespace griddle::primitives {

namespace {

// Checks `count` indices from `first` on, which begins a byte.
kernels::Indices checked_indices(Context& cx, const char* name, const Array& indices, std::size_t n, std::size_t first,
                                 std::size_t count) {
  kernels::Indices checked{indices.type(), indices.data + first * bits_of(indices.type()) / 8, count};
  std::size_t bad = kernels::first_bad_index(checked, n);
  if (bad == count) return checked;
  double d = number_at(indices, first + bad);
  if (d != std::floor(d)) fail(cx, std::string(name) + ": Indices in 𝕨 must be integers (got " + number_text(d) + ")");
  fail(cx, std::string(name) + ": Index out of range (" + number_text(d) + " for an axis of length " + std::to_string(n) + ")");
}

}  // namespace

bool check_indices(Context& cx, const char* name, const Array& indices, std::size_t n) {
  return checked_indices(cx, name, indices, n, 0, indices.length).negative;
}

namespace {

// Takes cells of `cell` elements by index from each of some rows of n cells, the same ones everywhere. False where there are too
// many to be listed.
bool select_in_rows(Heap& heap, Array& to, const Array& from, std::size_t rows, std::size_t n, std::size_t cell,
                    const Array& indices) {
  constexpr std::size_t most = 512, longest_bits = 64;
  const std::size_t count = indices.length * cell;
  if (count > most) return false;
  std::size_t chosen[most];
  with_type(indices.type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < indices.length; i++) {
      double index;
      if constexpr (std::is_arithmetic_v<T>)
        index = static_cast<double>(indices.as<T>()[i]);
      else
        index = number_at(indices, i);
      const std::size_t place = static_cast<std::size_t>(index < 0 ? index + static_cast<double>(n) : index) * cell;
      for (std::size_t k = 0; k < cell; k++) chosen[i * cell + k] = place + k;
    }
  });
  if (from.type() != ElementType::bit) {
    kernels::select_columns(bits_of(from.type()), to.data, from.data, rows, n * cell, chosen, count);
    return true;
  }
  if (n * cell > longest_bits || count > longest_bits) return false;
  // Bits of short rows are moved as bytes.
  const Ref<Array> bytes = make_list(heap, ElementType::i8, from.length), moved = make_list(heap, ElementType::i8, to.length);
  kernels::convert().expand[static_cast<int>(ElementType::i8)](bytes->data, from.as<std::uint64_t>(), 0, from.length);
  kernels::select_columns(8, moved->data, bytes->data, rows, n * cell, chosen, count);
  constexpr int not_zero = static_cast<int>(kernels::Comparison::not_equal);
  const std::int8_t zero = 0;
  kernels::compare().compare[not_zero][kernels::compared_i8][kernels::array_scalar](to.data, moved->data, &zero, to.length);
  return true;
}

}  // namespace

Value select_axis(Context& cx, const Value& x, std::size_t axis, const Array& indices, bool negative) {
  const Array& a = x.array();
  Shape shape(a.shape().first(axis));
  std::size_t before = product(shape), n = a.shape()[axis], cell = product(a.shape().subspan(axis + 1));
  shape.append(indices.shape());
  shape.append(a.shape().subspan(axis + 1));
  std::size_t total = checked_length(cx, "Select", shape);
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  if (total) {
    if (before < 2 || !select_in_rows(cx.heap, *out, a, before, n, cell, indices)) {
      const unsigned width = bits_of(a.type());
      const bool packed = width == 1;
      for (std::size_t i = 0; i < before; i++) {
        std::size_t to = i * indices.length * cell * width, from = i * n * cell * width;
        kernels::select_cells(width, out->data + (packed ? 0 : to / 8), packed ? to : 0, a.data + (packed ? 0 : from / 8),
                              packed ? from : 0, n, cell, {indices.type(), indices.data, indices.length, negative});
      }
    }
    if (a.type() == ElementType::boxed) share_elements(*out, 0, total);
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

namespace {

// Selects cells, and looks at indices piece by piece just before they are used, so that they come from memory once.
Value select_checked(Context& cx, const Value& x, const Array& indices) {
  const Array& a = x.array();
  Shape shape(indices.shape());
  shape.append(a.shape().subspan(1));
  std::size_t total = checked_length(cx, "Select", shape), cell = a.cell_length(), n = a.cells();
  if (indices.type() == ElementType::bit && is_number(a.type()) && a.rank() == 1 && n >= 2)
    return with_fill_like(cx.heap, choose_by_bits(cx, indices, element(a, 0), element(a, 1)), x);
  constexpr std::size_t piece = std::size_t{1} << 14;
  if (indices.length <= piece || total == 0 || a.type() == ElementType::boxed) {
    const bool negative = check_indices(cx, "Select", indices, n);
    return select_axis(cx, x, 0, indices, negative);
  }
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  unsigned width = bits_of(a.type());
  for (std::size_t i = 0; i < indices.length; i += piece) {
    std::size_t count = std::min(piece, indices.length - i);
    kernels::select_cells(width, out->data + i * cell * width / 8, 0, a.data, 0, n, cell,
                          checked_indices(cx, "Select", indices, n, i, count));
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Tells what a left argument of Select, Pick or the like is made of.
enum class Contents { numbers, arrays, mixed };

// Looks at the elements of an array; fails where one is neither a number nor an array. An empty array counts as numbers.
Contents contents_of(Context& cx, const char* name, const Array& a, const char* which = "𝕨") {
  if (a.length == 0 || is_number(a.type())) return Contents::numbers;
  if (a.type() != ElementType::boxed)
    fail(cx, std::string(name) + ": Indices in " + which + " must be numbers or arrays (got character)");
  bool number = false, array = false;
  for (const Value& v : a.boxes()) {
    number |= v.is_number();
    array |= v.is_array();
    if (!v.is_number() && !v.is_array())
      fail(cx, std::string(name) + ": Indices in " + which + " must be numbers or arrays (got " + kind_text(v) + ")");
  }
  return number && array ? Contents::mixed : array ? Contents::arrays : Contents::numbers;
}

bool is_place(double index, std::size_t n) {
  const auto limit = static_cast<double>(n);
  return index == std::floor(index) && index >= -limit && index < limit;
}

// Says why a number is no place in an axis of length n.
Value no_place_message(Context& cx, const char* name, double index, std::size_t n) {
  if (index != std::floor(index))
    return make_string(cx.heap, std::string(name) + ": Indices in 𝕨 must be integers (got " + number_text(index) + ")");
  return make_string(cx.heap, std::string(name) + ": Index out of range (" + number_text(index) + " for an axis of length " +
                                  std::to_string(n) + ")");
}

// Turns an index into a place in an axis of length n.
std::size_t place_of(Context& cx, const char* name, double index, std::size_t n) {
  if (!is_place(index, n)) fail_with(cx, no_place_message(cx, name, index, n));
  return static_cast<std::size_t>(index < 0 ? index + static_cast<double>(n) : index);
}

// Gives an array of numbers or nothing in a numeric storage form.
Value as_numbers(Heap& heap, Value v) {
  if (is_number(v.array().type())) return v;
  if (v.array().length == 0) return to_value(make_array(heap, ElementType::i8, v.array().shape()));
  return converted(heap, v.array(), narrowest(v.array()));
}

Value select_axes(Context& cx, const Value& w, Value x) {
  if (rank_of(w) > 1) fail(cx, "Select: A nested 𝕨 must be a list (got shape " + shape_text(w) + ")");
  std::span<const Value> lists = w.array().boxes();
  if (lists.size() > rank_of(x))
    fail(cx, "Select: 𝕨 must not have more index arrays than 𝕩 has axes (" + std::to_string(lists.size()) + " arrays, shape " +
                 shape_text(x) + ")");
  std::vector<Value> indices;
  for (std::size_t k = 0; k < lists.size(); k++) {
    if (contents_of(cx, "Select", lists[k].array()) != Contents::numbers)
      fail(cx, "Select: Arrays in 𝕨 must consist of numbers (got " + kind_text(lists[k]) + ")");
    indices.push_back(as_numbers(cx.heap, lists[k]));
    check_indices(cx, "Select", indices.back().array(), shape_of(x)[k]);
  }
  // Works from the last axis on, so that the numbers of the others stay.
  for (std::size_t k = indices.size(); k-- > 0;) x = select_axis(cx, x, k, indices[k].array());
  return x;
}

}  // namespace

Value select_refusal(Context& cx, const Value& w, const Value& x) {
  const char* name = w.is_absent() ? "First cell" : "Select";
  if (rank_of(x) == 0)
    return make_string(cx.heap, std::string(name) + ": 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
  const std::size_t n = x.array().cells();
  if (w.is_absent()) return n != 0 ? Value() : make_string(cx.heap, "First cell: 𝕩 has no cells (shape " + shape_text(x) + ")");
  return !w.is_number() || is_place(w.number(), n) ? Value() : no_place_message(cx, name, w.number(), n);
}

namespace {

// Takes one of two elements for each bit.
void select_by_bits(Array& to, const Array& bits, const Array& from) {
  const unsigned width = bits_of(from.type());
  if (width == 1) {
    const bool zero = from.bit(0), one = from.bit(1);
    const std::uint64_t *in = bits.as<std::uint64_t>(), same = zero == one ? 0 : ~std::uint64_t{0},
                        flip = zero ? ~std::uint64_t{0} : 0;
    std::uint64_t* out = to.as<std::uint64_t>();
    for (std::size_t i = 0; i < (bits.length + 63) / 64; i++) out[i] = (in[i] & same) ^ flip;
    return;
  }
  // Numbers of that width are moved as they are.
  constexpr ElementType moved[] = {ElementType::i8, ElementType::i16, ElementType::i32, ElementType::f64};
  const ElementType type = moved[log2_bits_of(from.type()) - 3];
  kernels::convert().choose[static_cast<int>(type)](to.data, bits.as<std::uint64_t>(), bits.length, from.data,
                                                    from.data + width / 8);
}

}  // namespace

Value select_plainly(Context& cx, const Value& w, const Value& x) {
  if (!w.is_array() || !x.is_array() || !stays_here(cx, x)) return Value();
  const Array &indices = w.array(), &from = x.array();
  // More indices are looked at piece by piece.
  constexpr std::size_t most = std::size_t{1} << 14;
  const bool list = is_plain_list(from);
  const bool by_table = list && is_plain_table(indices);
  if (!(indices.is_list() || by_table) || indices.length == 0 || indices.length > most || indices.type() > ElementType::i32 ||
      !(list || is_plain_table(from)))
    return Value();
  const std::size_t n = from.cells(), columns = list ? 1 : from.shape()[1];
  if (!list && (columns == 0 || columns > most)) return Value();
  kernels::Indices checked{indices.type(), indices.data, indices.length};
  if (kernels::first_bad_index(checked, n) != indices.length) return Value();
  Array* const out = by_table ? make_plain_table(cx.heap, from.type(), indices.shape()[0], indices.shape()[1])
                     : list   ? make_plain_list(cx.heap, from.type(), indices.length)
                              : make_plain_table(cx.heap, from.type(), indices.length, columns);
  if (!list && from.type() == ElementType::bit && out->length % 64 != 0) out->as<std::uint64_t>()[out->length / 64] = 0;
  if (list && indices.type() == ElementType::bit && n >= 2)
    select_by_bits(*out, indices, from);
  else
    kernels::select_cells(bits_of(from.type()), out->data.here(), 0, from.data, 0, n, columns, checked);
  return Value(out);
}

Value select(Context& cx, Value w, Value x) {
  if (rank_of(x) == 0) fail_with(cx, select_refusal(cx, w, x));
  const Array& a = x.array();
  if (w.is_number()) {
    std::size_t cell = a.cell_length(), i = place_of(cx, "Select", w.number(), a.cells());
    return slice(cx.heap, x, i * cell, a.shape().subspan(1));
  }
  if (w.is_atom()) fail(cx, "Select: 𝕨 must be a number or an array of numbers (got " + kind_text(w) + ")");
  switch (contents_of(cx, "Select", w.array())) {
    case Contents::arrays: return select_axes(cx, w, std::move(x));
    case Contents::mixed: fail(cx, "Select: 𝕨 must consist of numbers or of arrays, not both (got " + kind_text(w) + ")");
    case Contents::numbers: break;
  }
  w = as_numbers(cx.heap, std::move(w));
  Value selected = select_checked(cx, x, w.array());
  // Few numbers among other values make a list of numbers, with their fill.
  constexpr std::size_t few = 32;
  if (Array& cells = selected.array();
      cells.is_list() && cells.length <= few && cells.fill_kind() == FillKind::none && unbox_numbers(cx.heap, selected))
    return with_fill(cx.heap, std::move(selected), Value(0.0));
  return selected;
}

Value first_cell(Context& cx, Value x) {
  if (rank_of(x) == 0 || x.array().cells() == 0) fail_with(cx, select_refusal(cx, Value(), x));
  const Array& a = x.array();
  return slice(cx.heap, x, 0, a.shape().subspan(1));
}

Value pick_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent()) {
    if (length_of(x) != 0) return Value();
    return make_string(cx.heap, "First: 𝕩 must not be empty (shape " + shape_text(x) + ")");
  }
  if (!w.is_number()) return Value();
  if (rank_of(x) != 1) return make_string(cx.heap, "Pick: 𝕩 must be a list where 𝕨 is a number (got " + kind_text(x) + ")");
  const std::size_t n = x.array().length;
  return is_place(w.number(), n) ? Value() : no_place_message(cx, "Pick", w.number(), n);
}

Value first(Context& cx, Value x) {
  if (x.is_atom()) return x;
  if (x.array().length == 0) fail_with(cx, pick_refusal(cx, Value(), x));
  return element(x.array(), 0);
}

namespace {

Value pick_one(Context& cx, const PickNames& names, const Array& index, const Value& x) {
  const auto refuse = [&](const std::string& rest) {
    fail(cx, std::string(names.primitive) + ": An index in " + names.indices + " must " + rest);
  };
  if (index.rank() != 1 && index.length != 0) refuse("be a list (got shape " + shape_text(index.shape()) + ")");
  if (index.length != rank_of(x))
    refuse(std::string("have one number for each axis of ") + names.array + " (" + std::to_string(index.length) +
           " numbers, shape " + shape_text(x) + ")");
  if (x.is_atom()) return x;
  std::size_t at = 0;
  for (std::size_t k = 0; k < index.length; k++) {
    std::size_t n = x.array().shape()[k];
    double d = index.type() == ElementType::boxed ? index.boxes()[k].number() : number_at(index, k);
    at = at * n + place_of(cx, names.primitive, d, n);
  }
  return element(x.array(), at);
}

// Finds the place that one of many indices picks, each in a box.
bool find_boxed_place(const Value& index, const Array& x, std::size_t& place) {
  return index.is_array() && !index.array().data.elsewhere() && find_place(index.array(), x, place);
}

}  // namespace

Value pick_places(Context& cx, const Array& indices, const Value& x) {
  if (indices.type() != ElementType::boxed || !indices.is_list() || !x.is_array()) return Value();
  const Array& a = x.array();
  // No indices are one of no axes.
  if (indices.length == 0 || a.type() == ElementType::boxed || a.rank() == 0 || a.data.elsewhere()) return Value();
  const std::span<const Value> boxes = indices.boxes();
  Ref<Array> out = make_list(cx.heap, a.type(), indices.length);
  const bool found = with_type(a.type(), [&]<class T>(std::type_identity<T>) {
    std::size_t place;
    for (std::size_t i = 0; i < boxes.size(); i++) {
      if (!find_boxed_place(boxes[i], a, place)) return false;
      if constexpr (std::is_same_v<T, Bit>)
        kernels::write_bit(out->as<std::uint64_t>(), i, a.bit(place));
      else if constexpr (!std::is_same_v<T, Value>)
        out->as<T>()[i] = a.as<T>()[place];
    }
    return true;
  });
  return found ? to_value(std::move(out)) : Value();
}

namespace {

Value pick_nested(Context& cx, const PickNames& names, const Value& w, const Value& x) {
  cx.check_stack();
  const Array& a = w.array();
  if (Value picked = pick_places(cx, a, x); !picked.is_absent()) return picked;
  switch (contents_of(cx, names.primitive, a, names.indices)) {
    case Contents::numbers: return pick_one(cx, names, a, x);
    case Contents::mixed:
      fail(cx, std::string(names.primitive) + ": Arrays in " + names.indices +
                   " must consist of numbers or of arrays, not both (got list of length " + std::to_string(a.length) + ")");
    case Contents::arrays: break;
  }
  ArrayBuilder out(cx.heap, a.length);
  for (const Value& v : a.boxes()) out.push(pick_nested(cx, names, v, x));
  return out.finish(a.shape());
}

}  // namespace

Value pick(Context& cx, Value w, Value x) {
  if (w.is_number()) {
    if (rank_of(x) != 1) fail_with(cx, pick_refusal(cx, w, x));
    return element(x.array(), place_of(cx, "Pick", w.number(), x.array().length));
  }
  if (w.is_atom()) fail(cx, "Pick: 𝕨 must be a number or an array of indices (got " + kind_text(w) + ")");
  return pick_for(cx, {"Pick", "𝕨", "𝕩"}, std::move(w), std::move(x));
}

Value pick_for(Context& cx, const PickNames& names, Value w, Value x) {
  if (w.is_number()) return pick(cx, std::move(w), std::move(x));
  return pick_nested(cx, names, w, x);
}

}  // namespace griddle::primitives
