// Take and Prefixes ↑, Drop and Suffixes ↓.
#include <algorithm>
#include <cstring>

#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/structure/cells_at_hand.h"
#include "primitives/structure/table_rows.h"
#include "runtime/value/append.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

namespace {

// Gives a piece that is too long to be cut out at once, or for which there is no memory at hand.
[[gnu::noinline]] std::uint64_t longer_piece_of(Heap& heap, const Array& a, std::size_t start, std::size_t count) {
  if (count > longest_at_hand) return declined;
  Array* const out = make_list_of(heap, plain_of(a), count);
  copy_elements_of(out, 0, AnyList{&a}, start, count);
  return bits_of_array(out);
}

// Gives a piece that is copied. Apart, so that one that is shown needs no frame.
[[gnu::noinline]] std::uint64_t copied_piece_of(Heap& heap, const Array& a, std::size_t start, std::size_t count) {
  Array* const piece = short_piece(heap, a, start, count, 1);
  return piece != nullptr ? bits_of_array(piece) : longer_piece_of(heap, a, start, count);
}

}  // namespace

std::uint64_t piece_of(Heap& heap, const Array& a, std::size_t start, std::size_t count) {
  if (count == a.length) [[unlikely]]
    return shared(a);
  // What is longest is shown where it lies.
  if (const unsigned log2_bits = log2_bits_of(a.type()); log2_bits != 0 && count << log2_bits > 8 * copied_up_to_bytes)
    return bits_of_array(list_view_at_hand(heap, a, start, count));
  return copied_piece_of(heap, a, start, count);
}

namespace {

// Gives so many cells, of which there is one, from `start` on.
std::uint64_t cells_from(Heap& heap, AnyList a, std::size_t start, std::size_t count) { return piece_of(heap, a, start, count); }
std::uint64_t cells_from(Heap& heap, Boxes a, std::size_t start, std::size_t count) {
  if (count == a->length) return shared(a);
  if (count == 0) return slice(heap, Value::share(const_cast<Array*>(a.array)), 0, 0).leak();
  if (count > most_copied)
    return a->fill_kind() <= FillKind::space ? bits_of_array(list_view_at_hand(heap, a, start, count)) : declined;
  Array* const out = cells_like(heap, a, start, count);
  if (out != nullptr) copy_elements_of(out, 0, a, start, count);
  return bits_of_array(out);
}
std::uint64_t cells_from(Heap& heap, Table a, std::size_t start, std::size_t count) {
  // Few rows are copied: that takes no longer than to say where they lie.
  const std::size_t columns = a->shape()[1], bits = count * columns << log2_bits_of(a->type());
  if (bits > 8 * tuning().few_taken_bytes) {
    const bool whole_bytes = a->type() != ElementType::bit;
    return whole_bytes ? bits_of_array(table_view_at_hand(heap, a, start * columns, count, columns)) : declined;
  }
  Array* const out = cells_like(heap, a, 0, count);
  if (out != nullptr) copy_elements_of(out, 0, a, start * columns, count * columns);
  return bits_of_array(out);
}

// Takes more than a list has: fills follow, or come first.
[[gnu::noinline]] std::uint64_t take_beyond(Heap& heap, std::int32_t n, AnyList a) {
  const std::size_t want = magnitude(n);
  if (want > longest_at_hand) return declined;
  Array* const out = make_list_of(heap, plain_of(a), want);
  const unsigned width = bits_of(a->type());
  std::uint64_t fills = 0;
  if (is_character(a->type())) fills = U' ' * (~std::uint64_t{0} / kernels::low_bits(width));
  std::uint64_t* const words = words_of(out);
  for (std::size_t i = 0; i < want * width; i += 64) words[i / 64] = fills;
  copy_elements_of(out, n < 0 ? want - a->length : 0, a, 0, a->length);
  return bits_of_array(out);
}

// The same of the rows of a table, which lie together.
[[gnu::noinline]] std::uint64_t take_rows_beyond(Heap& heap, std::int32_t n, Table a) {
  const std::size_t want = magnitude(n), have = a->shape()[0], columns = a->shape()[1];
  if (want > longest_at_hand || want * columns > longest_at_hand) return declined;
  Array* const out = cells_like(heap, a, 0, want);
  const std::size_t more = (want - have) * columns;
  fill_run(*out, n < 0 ? 0 : a->length, more, is_character(a->type()) ? Value::character(U' ') : Value(0.0));
  copy_elements_of(out, n < 0 ? more : 0, a, 0, a->length);
  return bits_of_array(out);
}

// Takes along both axes, where that is more than there is of one: fills follow, or come first.
[[gnu::noinline]] std::uint64_t take_part_beyond(Heap& heap, const Array& a, const std::size_t (&have)[2],
                                                 const std::int32_t (&amounts)[2]) {
  std::size_t want[2], count[2], from[2], to[2];
  for (std::size_t k = 0; k < 2; k++) {
    want[k] = magnitude(amounts[k]);
    if (want[k] == 0 || want[k] > longest_at_hand) return declined;
    count[k] = std::min(want[k], have[k]);
    const bool from_end = amounts[k] < 0;
    from[k] = from_end ? have[k] - count[k] : 0, to[k] = from_end ? want[k] - count[k] : 0;
  }
  const std::size_t length = want[0] * want[1];
  if (length > longest_at_hand) return declined;
  Array* const out = make_plain_table(heap, a.type(), want[0], want[1]);
  fill_run(*out, 0, length, is_character(a.type()) ? Value::character(U' ') : Value(0.0));
  for (std::size_t r = 0; r < count[0]; r++)
    copy_elements_of(out, (to[0] + r) * want[1] + to[1], AnyList{&a}, (from[0] + r) * have[1] + from[1], count[1]);
  return bits_of_array(out);
}
template <bool takes, class A>
std::uint64_t keep_cells(Heap& heap, std::int32_t n, A a) {
  const std::size_t cells = cells_of(a), size = takes ? magnitude(n) : std::min(magnitude(n), cells);
  if (size == (takes ? cells : 0)) return shared(a);
  if (takes && size > cells) {
    if constexpr (std::is_same_v<A, AnyList>)
      return take_beyond(heap, n, a);
    else if constexpr (std::is_same_v<A, Table>)
      return take_rows_beyond(heap, n, a);
    else
      return declined;
  }
  const KeptCells kept = kept_cells(takes, n, cells);
  return cells_from(heap, a, kept.start, kept.count);
}
// Takes of the one row that a list is.
std::uint64_t take_part_of_list(Heap& heap, List amounts, List a) {
  std::int32_t read[2];
  return read_two_integers(amounts, read) ? take_part_beyond(heap, a, {1, a->length}, read) : declined;
}

// Takes or drops along both axes; declines where that leaves nothing.
template <bool takes>
std::uint64_t keep_part(Heap& heap, List amounts, Table a) {
  std::int32_t read[2];
  if (!read_two_integers(amounts, read)) return declined;
  KeptCells kept[2];
  for (std::size_t k = 0; k < 2; k++) {
    const std::size_t have = a->shape()[k];
    if (takes && magnitude(read[k]) > have) return take_part_beyond(heap, a, {a->shape()[0], a->shape()[1]}, read);
    kept[k] = kept_cells(takes, read[k], have);
  }
  const KeptCells rows = kept[0], columns = kept[1];
  if (rows.count == 0 || columns.count == 0) return declined;
  if (columns.count == a->shape()[1])
    return rows.count == a->shape()[0] ? shared(a) : cells_from(heap, a, rows.start, rows.count);
  return table_part(heap, a, rows, columns);
}

// Makes the list of the few pieces that start at the first cell or end at the last: the first of them, or the last, is empty.
template <bool prefixes, class A>
std::uint64_t few_pieces(Heap& heap, A a) {
  const std::size_t n = cells_of(a);
  if (n >= few_prefixes) return declined;
  const std::size_t shape[] = {0, cell_length_of(a)};
  const Value none = slice(heap, Value::share(const_cast<Array*>(a.array)), 0, std::span(shape, is_table<A> ? 2 : 1));
  const Value fill = holds_boxes<A> ? prototype(heap, none) : none;
  if (fill.is_absent()) return declined;
  Ref<Array> out = make_boxes_filled_with(heap, n + 1, fill);
  Value* const pieces = out->as<Value>();
  pieces[prefixes ? 0 : n] = none;
  for (std::size_t length = 1; length <= n; length++) {
    const std::uint64_t piece = cells_from(heap, a, prefixes ? 0 : n - length, length);
    if (piece == declined) return declined;
    pieces[prefixes ? length : n - length] = Value::from_bits(piece);
  }
  return to_value(std::move(out)).leak();
}

std::uint64_t drop_from_nothing(Heap&, std::int32_t, EmptyList a) { return shared(a); }

template <bool prefixes>
constexpr MonadWay piece_lists[] = {{"few", way<few_pieces<prefixes, AnyList>>},
                                    {"few boxes", way<few_pieces<prefixes, Boxes>>},
                                    {"few rows", way<few_pieces<prefixes, Table>>}};
constexpr DyadWay takes[6] = {{"list", way<keep_cells<true, AnyList>>},        {"boxes", way<keep_cells<true, Boxes>>},
                              {"table", way<keep_cells<true, Table>>},         {"table along both axes", way<keep_part<true>>},
                              {"list along two axes", way<take_part_of_list>}, {"number in a unit", by_number_in_unit<takes>}};
constexpr DyadWay drops[6] = {{"list", way<keep_cells<false, AnyList>>}, {"boxes", way<keep_cells<false, Boxes>>},
                              {"table", way<keep_cells<false, Table>>},  {"table along both axes", way<keep_part<false>>},
                              {"empty list", way<drop_from_nothing>},    {"number in a unit", by_number_in_unit<drops>}};

// Takes or drops in place, where the caller gives a list that nobody else sees and its first elements are what stays.
bool shortens(std::uint64_t w, std::uint64_t x, DyadCall call, bool takes) {
  if (!call.gives_x() || array_of(x) == nullptr || is_remade(*array_of(x))) return false;
  const double n = std::bit_cast<double>(w);
  Value& list = reinterpret_cast<Value&>(x);
  if (!list.is_array() || !list.array().unique() || !list.array().is_list()) return false;
  const double length = static_cast<double>(list.array().length), kept = takes ? n : length + n;
  // Anything tagged is a NaN, which no comparison accepts.
  return kept >= 1 && kept <= length && kept == std::floor(kept) && keep_first(list, static_cast<std::size_t>(kept));
}

template <bool takes, const auto& table>
std::uint64_t shorten_or_try(Context& cx, std::uint64_t w, std::uint64_t x, DyadCall call) {
  return shortens(w, x, call, takes) ? shared(x) : try_ways<table>(cx, w, x, call);
}

// A part of an array: `count` places from `start` on along each axis. The shape has leading axes of length 1 where 𝕨 is longer.
struct TakenPart {
  Shape shape;
  Few<std::size_t> start;
  Few<std::size_t> count;
};

Shape padded_shape(const Array& a, std::size_t axes) {
  Shape s;
  for (std::size_t k = a.rank(); k < axes; k++) s.push_back(1);
  s.append(a.shape());
  return s;
}

// Tells whether elements are many bits that begin within a word, which a kernel shifts.
bool shifts_bits(const Array& a, std::size_t start, std::size_t count) {
  constexpr std::size_t many_bits = 4096;
  return a.type() == ElementType::bit && start % 64 != 0 && count > many_bits;
}

// Gives so many cells.
Value some_cells(Context& cx, const Value& x, KeptCells kept) {
  const Array& a = x.array();
  if (!a.is_list() || !shifts_bits(a, kept.start, kept.count)) return primitives::cells_from(cx.heap, x, kept.start, kept.count);
  Ref<Array> out = make_list(cx.heap, ElementType::bit, kept.count);
  copy_run(*out, 0, a, kept.start, kept.count);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Gives a part of an array, sharing its elements where they lie together.
Value part_of(Context& cx, const Value& x, const TakenPart& part) {
  std::size_t axes = part.shape.size();
  Few<std::ptrdiff_t> from(axes), to(axes);
  row_major(part.shape, from.data());
  row_major(part.count, to.data());
  std::size_t start = 0, total = product(part.count);
  if (total == 0) return slice(cx.heap, x, 0, part.count);
  bool together = true, below = false;  // below: an outer axis already has several places
  Few<BoxAxis> box;
  for (std::size_t k = 0; k < axes; k++) {
    start += part.start[k] * static_cast<std::size_t>(from[k]);
    if (below && part.count[k] != part.shape[k]) together = false;
    below |= part.count[k] > 1;
    box.push_back({part.count[k], to[k], from[k]});
  }
  if (together && !shifts_bits(x.array(), start, total)) return slice(cx.heap, x, start, part.count);
  Ref<Array> out = make_array(cx.heap, x.array().type(), part.count);
  copy_box(*out, 0, x.array(), start, box);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

// Puts a whole array into a larger one of fills.
Value overtaken(Context& cx, Value x, const TakenPart& part, const Shape& shape, const Few<std::size_t>& place) {
  Heap& heap = cx.heap;
  Value fill = fill_or_zero(heap, x);
  ElementType type = common_type(x.array().type(), element_type_of(fill));
  Value like = x;
  x = widened(heap, std::move(x), type);
  const Array& a = x.array();
  Ref<Array> out = make_array(heap, type, shape);
  std::size_t axes = shape.size(), total = out->length;
  Few<std::ptrdiff_t> from(axes), to(axes);
  row_major(part.shape, from.data());
  row_major(shape, to.data());
  std::size_t to_start = 0, from_start = 0;
  bool whole_cells = true;
  Few<BoxAxis> box;
  for (std::size_t k = 0; k < axes; k++) {
    to_start += place[k] * static_cast<std::size_t>(to[k]);
    from_start += part.start[k] * static_cast<std::size_t>(from[k]);
    box.push_back({part.count[k], to[k], from[k]});
    if (k > 0 && (part.count[k] != shape[k] || part.count[k] != part.shape[k])) whole_cells = false;
  }
  if (whole_cells) {
    std::size_t run = product(part.count);
    fill_run(*out, 0, to_start, fill);
    copy_run(*out, to_start, a, from_start, run);
    fill_run(*out, to_start + run, total - to_start - run, fill);
  } else if (type == ElementType::boxed) {
    CopiedElements copied(*out);
    std::fill_n(out->as<std::uint64_t>(), total, fill.bits());
    kernels::copy_box(64, out->data, to_start, a.data, from_start, box);
    copied.share();
  } else {
    fill_run(*out, 0, total, fill);
    copy_box(*out, to_start, a, from_start, box);
  }
  return with_fill_like(heap, to_value(std::move(out)), like);
}

// Takes more than there is of a list.
Value overtaken_list(Context& cx, Value x, std::size_t want, bool at_end) {
  const Value fill = fill_or_zero(cx.heap, x);
  const std::size_t have = x.array().length, more = want - have;
  const ElementType type = common_type(x.array().type(), element_type_of(fill));
  Ref<Array> out = make_list(cx.heap, type, want);
  fill_run(*out, at_end ? 0 : have, more, fill);
  copy_run(*out, at_end ? more : 0, x.array(), 0, have);
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

}  // namespace

constexpr DyadWays take_ways{shorten_or_try<true, takes>, takes};
constexpr DyadWays drop_ways{shorten_or_try<false, drops>, drops};
constexpr MonadWays prefixes_ways = monad_ways<piece_lists<true>>, suffixes_ways = monad_ways<piece_lists<false>>;

namespace {

// Takes or drops along all axes that 𝕨 has numbers for.
Value taken(Context& cx, bool takes, const Value& w, Value x) {
  const char* const name = takes ? "Take" : "Drop";
  const Few<std::int64_t> amount = on_operands(w, x, [&] { return read_integers(cx, takes ? "Take: 𝕨" : "Drop: 𝕨", w); });
  x = as_array(cx.heap, std::move(x));
  TakenPart part;
  part.shape = padded_shape(x.array(), amount.size());
  Shape shape;
  Few<std::size_t> place;
  bool over = false;
  for (std::size_t k = 0; k < part.shape.size(); k++) {
    const std::size_t have = part.shape[k], size = k < amount.size() ? magnitude(amount[k]) : takes ? have : 0;
    const std::size_t want = takes ? size : have - std::min(size, have), count = std::min(want, have);
    const bool at_end = k < amount.size() && (amount[k] < 0) == takes;
    over |= want > have;
    shape.push_back(want);
    part.count.push_back(count);
    part.start.push_back(at_end ? have - count : 0);
    place.push_back(at_end ? want - count : 0);
  }
  checked_length(cx, name, shape);
  return over ? overtaken(cx, std::move(x), part, shape, place) : part_of(cx, x, part);
}

}  // namespace

Value take(Context& cx, Value w, Value x) {
  if (std::int64_t n; rank_of(x) != 0 && w.to_integer(n)) {
    const std::size_t want = magnitude(n), have = x.array().cells();
    if (want <= have) return some_cells(cx, x, kept_cells(true, n, have));
    if (x.array().is_list() && want <= max_length) return overtaken_list(cx, std::move(x), want, n < 0);
  }
  return taken(cx, true, w, std::move(x));
}

Value drop(Context& cx, Value w, Value x) {
  if (std::int64_t n; rank_of(x) != 0 && w.to_integer(n)) return some_cells(cx, x, kept_cells(false, n, x.array().cells()));
  return taken(cx, false, w, std::move(x));
}

namespace {

// Makes the list of the n+1 pieces that start at the first cell or end at the last.
Value pieces(Context& cx, const char* name, const Value& x, bool prefixes) {
  if (Value message = cells_refusal(cx, name, x); !message.is_absent()) fail_with(cx, std::move(message));
  const Array& a = x.array();
  std::size_t n = a.cells(), cell = a.cell_length();
  Ref<Array> out = make_list(cx.heap, ElementType::boxed, n + 1);
  Shape shape(a.shape());
  for (std::size_t i = 0; i <= n; i++) {
    if ((i & 0xFFFF) == 0xFFFF) cx.check_interrupt();
    shape[0] = prefixes ? i : n - i;
    const std::size_t start = prefixes ? 0 : i * cell;
    out->as<Value>()[i] = a.rank() == 1 ? slice(cx.heap, x, start, shape[0]) : slice(cx.heap, x, start, shape);
  }
  Value fill = prototype(cx.heap, out->as<Value>()[prefixes ? 0 : n]);
  return with_fill(cx.heap, to_value(std::move(out)), fill);
}

}  // namespace

Value prefixes(Context& cx, Value x) { return pieces(cx, "Prefixes", x, true); }
Value suffixes(Context& cx, Value x) { return pieces(cx, "Suffixes", x, false); }

std::uint64_t first_of_rest(Context&, const Value& w, const Value& x) {
  std::int64_t k;
  if (!x.is_array() || !w.to_integer(k) || k < 0) return Value::absent_bits;
  const Array& a = x.array();
  if (!a.is_list() || static_cast<std::size_t>(k) >= a.length || a.data.elsewhere()) return Value::absent_bits;
  return element(a, static_cast<std::size_t>(k)).leak();
}

}  // namespace griddle::primitives
