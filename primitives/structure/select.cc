// First cell and Select ⊏.
#include "primitives/kernels/moves/select.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/indexing.h"
#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/cells_at_hand.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- first cell and select: ways

namespace {

// Give an element as an array without axes.
std::uint64_t unit_of(Heap& heap, LongList a, std::size_t i) {
  const PlainList& plain = plain_of(a);
  void* const memory = heap.allocate(sizeof(Array) + sizeof(std::uint64_t));
  std::uint8_t* const data = static_cast<std::uint8_t*>(memory) + sizeof(Array);
  Array* const unit = place_array(memory, plain.description() - one_axis, 1, data);
  if (plain.log2_bits == 0)
    *words_of(unit) = kernels::read_bit(words_of(a.array), i);
  else
    copy_few(data, a->data.here() + (i << (plain.log2_bits - 3)), std::size_t{1} << (plain.log2_bits - 3));
  enlist_object(heap, unit);
  return bits_of_array(unit);
}
std::uint64_t unit_of(Heap& heap, Boxes a, std::size_t i) {
  // The element is the first of what holds it alone.
  if (a->fill_kind() > FillKind::space &&
      (a->fill_kind() != FillKind::of_first || prototypes_alike(words_of(a.array)[0], words_of(a.array)[i]) != Alike::yes))
    return declined;
  Array* const unit = new_boxes(heap, a->fill_kind(), 1, 0);
  words_of(unit)[0] = shared_box(words_of(a.array)[i]);
  return bits_of_array(unit);
}

template <class A>
std::uint64_t first_of(Heap& heap, A a) {
  return unit_of(heap, a, 0);
}
template <class A>
std::uint64_t select_one(Heap& heap, std::int32_t i, A a) {
  const std::size_t place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(a->length) : i);
  return place < a->length ? unit_of(heap, a, place) : declined;
}

// Give a row as a list: few elements are copied, and many shown where they lie.
std::uint64_t row_of(Heap& heap, Table a, std::size_t i) {
  const std::size_t columns = a->shape()[1];
  Array* const row = piece_at_hand(heap, *a.array, i * columns, columns);
  return row != nullptr ? bits_of_array(row) : declined;
}
std::uint64_t first_row(Heap& heap, Table a) { return row_of(heap, a, 0); }
std::uint64_t select_row(Heap& heap, std::int32_t i, Table a) {
  const std::size_t rows = a->shape()[0], place = static_cast<std::size_t>(i < 0 ? i + static_cast<std::int64_t>(rows) : i);
  return place < rows ? row_of(heap, a, place) : declined;
}

// Tells whether one of eight places counts from the end.
template <class I>
bool has_negative(const I* places) {
  constexpr std::uint64_t signs = ~std::uint64_t{0} / std::numeric_limits<std::make_unsigned_t<I>>::max() << (8 * sizeof(I) - 1);
  std::uint64_t all = 0, words[sizeof(I)];
  std::memcpy(words, places, sizeof words);
  for (const std::uint64_t word : words) all |= word;
  return all & signs;
}

// Copies the elements at some places; false where one is none.
template <class T, class I>
bool copy_elements_at(T* to, const Array& from, const I* places, std::size_t count) {
  const std::size_t length = from.length;
  const T* const elements = reinterpret_cast<const T*>(from.data.here());
  std::size_t k = 0;
  for (constexpr std::size_t some = 8; k + some <= count && !has_negative(places + k); k += some)
#pragma GCC unroll 8
    for (std::size_t j = 0; j < some; j++) {
      const auto i = static_cast<std::size_t>(places[k + j]);
      if (i >= length) return false;
      to[k + j] = elements[i];
    }
  for (; k < count; k++) {
    const auto i = static_cast<std::size_t>(places[k] + (places[k] < 0 ? static_cast<std::int64_t>(length) : 0));
    if (i >= length) return false;
    to[k] = elements[i];
  }
  return true;
}
// Calls f with the places where they are integers, or few bits; gives false elsewhere.
constexpr std::size_t few_bits = 64;
template <class F>
[[gnu::always_inline]] inline bool with_places(const Array& places, F f) {
  switch (places.type()) {
    case ElementType::bit: {
      std::int8_t each[few_bits];
      if (places.length > few_bits) return false;
      for (std::size_t k = 0; k < places.length; k++) each[k] = places.bit(k);
      return f(static_cast<const std::int8_t*>(each));
    }
    case ElementType::i8: return f(places.as<std::int8_t>());
    case ElementType::i16: return f(places.as<std::int16_t>());
    case ElementType::i32: return f(places.as<std::int32_t>());
    default: return false;
  }
}
template <class T>
[[gnu::always_inline]] inline bool copy_elements_at(T* to, const Array& from, const Array& places) {
  return with_places(places, [&](const auto* p) { return copy_elements_at(to, from, p, places.length); });
}
bool copy_elements_at(Array& to, const Array& from, const Array& places) {
  switch (log2_bits_of(from.type())) {
    case 3: return copy_elements_at(to.as<std::uint8_t>(), from, places);
    case 4: return copy_elements_at(to.as<std::uint16_t>(), from, places);
    case 5: return copy_elements_at(to.as<std::uint32_t>(), from, places);
    default: return copy_elements_at(to.as<std::uint64_t>(), from, places);
  }
}

// Selects a few bits, so few that they fill a word.
std::uint64_t select_few_bits(Heap& heap, List places, LongList a) {
  const std::size_t count = places->length, length = a->length;
  if (a->type() != ElementType::bit || count > std::min<std::size_t>(tuning().few_places, 64) ||
      places->type() == ElementType::bit)
    return declined;
  const std::uint8_t* const bytes = a->data.here();
  std::uint64_t selected = 0;
  const bool fit = with_places(places, [&](const auto* p) {
    for (std::size_t k = count; k-- > 0;) {
      const auto i = static_cast<std::size_t>(p[k] + (p[k] < 0 ? static_cast<std::int64_t>(length) : 0));
      if (i >= length) return false;
      selected = selected << 1 | (bytes[i / 8] >> i % 8 & 1);
    }
    return true;
  });
  if (!fit) return declined;
  Array* const out = make_plain_list(heap, ElementType::bit, count);
  *words_of(out) = selected;
  return bits_of_array(out);
}
std::uint64_t select_few(Heap& heap, List places, LongList a) {
  if (places->length > tuning().few_places || a->type() == ElementType::bit || places->type() == ElementType::bit)
    return declined;
  Array* const out = make_list_of(heap, plain_of(a), places->length);
  if (copy_elements_at(*out, a, places)) return bits_of_array(out);
  Heap::free(out);
  return declined;
}

std::uint64_t select_boxes(Heap& heap, List places, Boxes a) {
  constexpr std::size_t most = 64;
  std::uint64_t found[most];
  if (places->length > most || a->fill_kind() == FillKind::of_first || !copy_elements_at(found, a, places)) return declined;
  // What is known to be numbers alone becomes a list of these.
  if (std::all_of(found, found + places->length, [](std::uint64_t v) { return v < Value::first_tagged; })) return declined;
  Array* const out = cells_like(heap, a, 0, places->length);
  if (out != nullptr) share_boxes(words_of(out), found, places->length);
  return bits_of_array(out);
}

template <class I>
bool copy_rows_at(std::uint8_t* to, const Array& from, const I* places, std::size_t count) {
  const auto rows = static_cast<std::int64_t>(from.shape()[0]);
  const std::size_t bytes = from.shape()[1] * bits_of(from.type()) / 8;
  for (std::size_t k = 0; k < count; k++) {
    const std::int64_t i = places[k] < 0 ? places[k] + rows : places[k];
    if (i < 0 || i >= rows) return false;
    copy_piece(to + k * bytes, from.data.here() + static_cast<std::size_t>(i) * bytes, bytes);
  }
  return true;
}
std::uint64_t select_few_rows(Heap& heap, List places, Table a) {
  if (a->type() == ElementType::bit || places->length > tuning().few_selected_rows ||
      places->length * a->shape()[1] > longest_at_hand)
    return declined;
  Array* const out = cells_like(heap, a, 0, places->length);
  if (out == nullptr) return declined;
  std::uint8_t* const to = out->data.here();
  if (with_places(places, [&](const auto* p) { return copy_rows_at(to, a, p, places->length); })) return bits_of_array(out);
  Heap::free(out);
  return declined;
}

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

// Selects however many cells by a kernel.
template <class W, class A>
std::uint64_t select_many(Heap& heap, W places, A a) {
  const std::size_t columns = cell_length_of(a);
  kernels::Indices checked{places->type(), places->data, places->length};
  if (places->type() > ElementType::i32 || places->length > longest_at_hand || places->length * columns > longest_at_hand)
    return declined;
  if constexpr (!is_table<W> && !is_table<A>)
    if (kernels::selects_below(bits_of(a->type()), a->length, places->type())) {
      Ref<Array> out(cells_like(heap, a, 0, places->length));
      if (kernels::select_below(bits_of(a->type()), out->data.here(), a->data.here(), a->length, checked))
        return bits_of_array(out.leak());
    }
  if (kernels::first_bad_index(checked, cells_of(a)) != places->length) return declined;
  Array* const out =
      is_table<W> ? table_like(heap, a, places->shape()[0], places->shape()[1]) : cells_like(heap, a, 0, places->length);
  if (out == nullptr) return declined;
  if (!is_table<A> && places->type() == ElementType::bit && a->length >= 2) {
    select_by_bits(*out, places, a);
  } else {
    if (a->type() == ElementType::bit && out->length % 64 != 0) words_of(out)[out->length / 64] = 0;
    kernels::select_cells(bits_of(a->type()), out->data.here(), 0, a->data.here(), 0, cells_of(a), columns, checked);
  }
  return bits_of_array(out);
}

std::uint64_t select_none(Heap& heap, AnyList places, AnyArray a) {
  return places->length == 0 && a->is_list() && !a->data.elsewhere() ? bits_of_array(piece_at_hand(heap, a, 0, 0)) : declined;
}

constexpr MonadWay firsts[] = {{"list", way<first_of<LongList>>}, {"boxes", way<first_of<Boxes>>}, {"row", way<first_row>}};
constexpr DyadWay selections[12] = {{"one", way<select_one<LongList>>},
                                    {"one box", way<select_one<Boxes>>},
                                    {"row", way<select_row>},
                                    {"few", way<select_few>},
                                    {"few bits", way<select_few_bits>},
                                    {"boxes", way<select_boxes>},
                                    {"number in a unit", by_number_in_unit<selections>},
                                    {"few rows", way<select_few_rows>},
                                    {"many", way<select_many<List, List>>},
                                    {"table of places", way<select_many<Table, List>>},
                                    {"rows", way<select_many<List, Table>>},
                                    {"none", way<select_none>}};

}  // namespace

constexpr MonadWays first_cell_ways = monad_ways<firsts>;
constexpr DyadWays select_ways = dyad_ways<selections>;

// --- first cell and select: any arguments

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

Contents contents_of(Context& cx, const char* name, const Array& a, const char* which) {
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

Value no_place_message(Context& cx, const char* name, double index, std::size_t n) {
  if (index != std::floor(index))
    return make_string(cx.heap, std::string(name) + ": Indices in 𝕨 must be integers (got " + number_text(index) + ")");
  return make_string(cx.heap, std::string(name) + ": Index out of range (" + number_text(index) + " for an axis of length " +
                                  std::to_string(n) + ")");
}

std::size_t place_of(Context& cx, const char* name, double index, std::size_t n) {
  if (!is_place(index, n)) fail_with(cx, no_place_message(cx, name, index, n));
  return static_cast<std::size_t>(index < 0 ? index + static_cast<double>(n) : index);
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
    CopiedElements copied(*out);
    if (before < 2 || !select_in_rows(cx.heap, *out, a, before, n, cell, indices)) {
      const unsigned width = bits_of(a.type());
      const bool packed = width == 1;
      for (std::size_t i = 0; i < before; i++) {
        std::size_t to = i * indices.length * cell * width, from = i * n * cell * width;
        kernels::select_cells(width, out->data + (packed ? 0 : to / 8), packed ? to : 0, a.data + (packed ? 0 : from / 8),
                              packed ? from : 0, n, cell, {indices.type(), indices.data, indices.length, negative});
      }
    }
    copied.share();
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
  const std::size_t piece = tuning().places_at_once;
  const unsigned width = bits_of(a.type());
  const bool below = cell == 1 && kernels::selects_below(width, n, indices.type());
  if ((indices.length <= piece && !below) || total == 0 || a.type() == ElementType::boxed) {
    const bool negative = check_indices(cx, "Select", indices, n);
    return select_axis(cx, x, 0, indices, negative);
  }
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  kernels::ElementsDone done;
  for (std::size_t i = 0; i < indices.length; i += piece) {
    std::size_t count = std::min(piece, indices.length - i);
    done.add(count * (1 + cell * width / 256));
    std::uint8_t* const to = out->data + i * cell * width / 8;
    const kernels::Indices these{indices.type(), indices.data + i * bits_of(indices.type()) / 8, count};
    if (below && kernels::select_below(width, to, a.data, n, these)) continue;
    kernels::select_cells(width, to, 0, a.data, 0, n, cell, checked_indices(cx, "Select", indices, n, i, count));
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
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
  on_operands(w, x, [&] {
    for (std::size_t k = 0; k < lists.size(); k++) {
      if (contents_of(cx, "Select", lists[k].array()) != Contents::numbers)
        fail(cx, "Select: Arrays in 𝕨 must consist of numbers (got " + kind_text(lists[k]) + ")");
      indices.push_back(as_numbers(cx.heap, lists[k]));
      check_indices(cx, "Select", indices.back().array(), shape_of(x)[k]);
    }
  });
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

Value select(Context& cx, Value w, Value x) {
  if (rank_of(x) == 0) fail_on(select_refusal(cx, w, x), w, x);
  const Array& a = x.array();
  if (w.is_number()) {
    if (!is_place(w.number(), a.cells())) fail_on(select_refusal(cx, w, x), w, x);
    std::size_t cell = a.cell_length(), i = place_of(cx, "Select", w.number(), a.cells());
    return slice(cx.heap, x, i * cell, a.shape().subspan(1));
  }
  if (w.is_atom()) fail(cx, "Select: 𝕨 must be a number or an array of numbers (got " + kind_text(w) + ")");
  switch (on_operands(w, x, [&] { return contents_of(cx, "Select", w.array()); })) {
    case Contents::arrays: return select_axes(cx, w, std::move(x));
    case Contents::mixed: {
      const std::string got = " (got " + kind_text(w) + ")";
      fail_on(make_string(cx.heap, "Select: 𝕨 must consist of numbers or of arrays, not both" + got), w, x);
    }
    case Contents::numbers: break;
  }
  w = as_numbers(cx.heap, std::move(w));
  Value selected = on_operands(w, x, [&] { return select_checked(cx, x, w.array()); });
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

}  // namespace griddle::primitives
