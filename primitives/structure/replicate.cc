// Indices and Replicate /.
#include "primitives/kernels/moves/replicate.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

#include "primitives/common/index_list.h"
#include "primitives/common/indexing.h"
#include "primitives/common/plain.h"
#include "primitives/common/sorted.h"
#include "primitives/common/tuning.h"
#include "primitives/functions.h"
#include "primitives/inverse/undo.h"
#include "primitives/kernels/booleans/bit_rows.h"
#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/shared/bit_runs.h"
#include "primitives/kernels/shared/convert.h"
#include "primitives/kernels/shared/pieces.h"
#include "primitives/structure/cells_at_hand.h"
#include "primitives/structure/match.h"
#include "primitives/structure/replicate.h"
#include "runtime/vm/operand_error.h"

namespace griddle::primitives {

// --- rows that are kept

namespace {

// Keeps very long rows of bits, a run of neighbours at a time.
void keep_runs_of_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t cell, const std::uint64_t* mask, std::size_t n) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < n; i += 64) {
    std::uint64_t left = mask[i / 64] & kernels::low_bits(n - i);
    while (left != 0) {
      const unsigned first = static_cast<unsigned>(std::countr_zero(left));
      const unsigned count = static_cast<unsigned>(std::countr_one(left >> first));
      left = first + count == 64 ? 0 : left >> (first + count) << (first + count);
      kernels::copy_bits(to, at, from, (i + first) * cell, count * cell);
      at += count * cell;
    }
  }
}

// Keeps rows of bits: short ones as bits by a mask of bits.
void keep_rows_of_bits(Heap& heap, Array& to, const Array& from, std::size_t cell, const Array& kept) {
  auto* const bits = to.as<std::uint64_t>();
  const auto* const mask = kept.as<std::uint64_t>();
  if (cell <= tuning().short_bit_cell) {
    const Ref<Array> marks = make_list(heap, ElementType::bit, from.length);
    kernels::repeat_each(1, marks->data, mask, kept.length, cell);
    return kernels::compress(1, bits, to.length, from.data, marks->as<std::uint64_t>(), from.length);
  }
  if (to.length % 64 != 0) bits[to.length / 64] = 0;
  if (cell <= kernels::longest_bit_row)
    kernels::keep_bit_rows(bits, from.as<std::uint64_t>(), cell, mask, kept.length);
  else
    keep_runs_of_bits(bits, from.as<std::uint64_t>(), cell, mask, kept.length);
}

// Keeps marked rows of a table of plain elements: of bits, of some bytes at least, or as long as elements are, or few rows; null
// for others.
Array* kept_rows(Heap& heap, const Array& a, const Array& marks, std::size_t least_bytes) {
  const std::size_t columns = a.shape()[1], bits = columns * bits_of(a.type()), rows = marks.length;
  // Rows of 3 and 6 bytes, if not so few that a word marks them, are sooner kept element by element.
  constexpr std::size_t few = 64;
  const bool is_short = bits < 8 * least_bytes || bits == 8 * 6;
  if (a.type() != ElementType::bit && is_short && !std::has_single_bit(bits) && rows > few) return nullptr;
  const auto* const mask = marks.as<std::uint64_t>();
  const std::size_t total = kernels::count_ones(mask, rows);
  Ref<Array> out = make_plain_table(heap, a.type(), total, columns);
  if (total != 0 && bits % 8 != 0)
    keep_rows_of_bits(heap, *out, a, columns, marks);
  else if (total != 0)
    kernels::compress_cells(bits / 8, out->data.here(), total, a.data, mask, rows);
  return out.leak();
}

}  // namespace

// --- ways

namespace {

std::uint64_t places_of_ones(Heap& heap, List a) {
  if (a->type() != ElementType::bit) return declined;
  const std::size_t n = a->length, total = kernels::count_ones(words_of(a.array), n);
  const ElementType type = type_of_places(n);
  const std::size_t room = total + kernels::spare_elements(bits_of(type), n);
  Array* const out = make_plain_list(heap, type, room);
  out->length = total;
  kernels::places_of_ones(type, out->data.here(), room, words_of(a.array), n);
  return bits_of_array(out);
}

// Keep what is marked.
std::uint64_t keep_marked(Heap& heap, List marks, List a) {
  if (marks->type() != ElementType::bit || marks->length != a->length) return declined;
  const std::size_t total = kernels::count_ones(words_of(marks.array), marks->length);
  if (total == a->length) return shared(a);
  if (total == 0) return bits_of_array(piece_at_hand(heap, a, 0, 0));
  const PlainList& plain = plain_of(a);
  const unsigned width = 1u << plain.log2_bits;
  // Bits are written as whole words, which lists of bits have.
  const std::size_t room = width == 1 ? total : total + kernels::spare_elements(width, a->length);
  Array* const out = list_at_hand(heap, plain, room);
  if (out == nullptr) return declined;  // the general way fetches such memory
  out->length = total;
  kernels::compress(width, out->data.here(), room, a->data.here(), words_of(marks.array), a->length);
  return bits_of_array(out);
}
std::uint64_t keep_boxes(Heap& heap, List marks, Boxes a) {
  if (marks->type() != ElementType::bit || marks->length != a->length) return declined;
  const std::size_t total = kernels::count_ones(words_of(marks.array), a->length);
  if (total == a->length) return shared(a);
  if (total == 0) return bits_of_array(piece_at_hand(heap, a, 0, 0));
  std::size_t first = 0;
  while (!marks->bit(first)) first++;
  Array* const out = cells_like(heap, a, first, total);
  if (out == nullptr) return declined;
  std::uint64_t* to = words_of(out);
  for (std::size_t i = 0; i < a->length; i += 64)
    for (std::uint64_t ones = words_of(marks.array)[i / 64] & kernels::low_bits(a->length - i); ones != 0; ones &= ones - 1)
      *to++ = shared_box(words_of(a.array)[i + static_cast<std::size_t>(std::countr_zero(ones))]);
  return bits_of_array(out);
}
std::uint64_t keep_rows(Heap& heap, List marks, Table a) {
  const bool fits = marks->type() == ElementType::bit && marks->length == a->shape()[0];
  return fits ? bits_of_array(kept_rows(heap, a, marks, tuning().shortest_kept_row)) : declined;
}

// Repeat each cell as often as a number says.
std::uint64_t repeat_elements(Heap& heap, std::int32_t times, AnyList a) {
  if (a->length == 0) return times >= 0 ? shared(a) : declined;
  if (times < 2 || static_cast<std::size_t>(times) > tuning().most_repeats) return declined;
  const bool few_bits = a->type() == ElementType::bit && a->length <= most_bits_moved / static_cast<std::size_t>(times);
  if (a->length > longest_at_hand && !few_bits) return declined;
  assert(tuning().most_repeats * longest_at_hand <= kernels::unasked_results);  // so that nothing is thrown
  const PlainList& plain = plain_of(a);
  Array* const out = make_list_of(heap, plain, a->length * static_cast<std::size_t>(times));
  kernels::repeat_each(1u << plain.log2_bits, out->data.here(), a->data.here(), a->length, static_cast<std::size_t>(times));
  return bits_of_array(out);
}
template <class A>
std::uint64_t repeat_cells(Heap& heap, std::int32_t times, A a) {
  const std::size_t cells = cells_of(a), length = cell_length_of(a);
  if (times < 2 || a->type() == ElementType::bit ||
      magnitude(times) * a->length > (holds_boxes<A> ? most_boxes_at_hand : longest_at_hand))
    return declined;
  Array* const out = cells_like(heap, a, 0, cells * magnitude(times));
  if (out == nullptr) return declined;
  std::size_t at = 0;
  for (std::size_t i = 0; i < cells; i++)
    for (std::int32_t k = 0; k < times; k++, at += length) copy_elements_of(out, at, a, i * length, length);
  return bits_of_array(out);
}

// Repeats each element as often as its count says.
template <class A>
std::uint64_t repeat_by_counts(Heap& heap, List counts, A a) {
  double total;
  if (counts->length != a->length || !is_number(counts->type()) || counts->type() == ElementType::bit ||
      kernels::add_counts(counts->type(), counts->data, counts->length, &total) != counts->length || total == 0 ||
      total > static_cast<double>(holds_boxes<A> ? most_boxes_at_hand : longest_at_hand))
    return declined;
  std::size_t first = 0;
  while (holds_boxes<A> && a->fill_kind() == FillKind::of_first && number_at(counts, first) == 0) first++;
  const auto length = static_cast<std::size_t>(total);
  Array* const out = cells_like(heap, a, first, length);
  if (out == nullptr) return declined;
  kernels::repeat_by_counts(bits_of(a->type()), out->data.here(), length, a->data.here(), counts->type(), counts->data,
                            a->length);
  if (holds_boxes<A>) share_elements(*out, 0, length);
  return bits_of_array(out);
}

// No counts are counts for no axis.
std::uint64_t replicate_by_none(Heap&, AnyArray w, AnyArray x) { return w->is_list() && w->length == 0 ? shared(x) : declined; }

std::uint64_t repeat_nothing(Heap&, std::int32_t n, EmptyList a) { return n >= 0 ? shared(a) : declined; }

constexpr MonadWay indices_of[] = {{"bits", way<places_of_ones>}};
constexpr DyadWay replications[] = {{"marks", way<keep_marked>},
                                    {"times", way<repeat_elements>},
                                    {"counts", way<repeat_by_counts<List>>},
                                    {"marked rows", way<keep_rows>},
                                    {"rows times", way<repeat_cells<Table>>},
                                    {"marked boxes", way<keep_boxes>},
                                    {"boxes times", way<repeat_cells<Boxes>>},
                                    {"boxes by counts", way<repeat_by_counts<Boxes>>},
                                    {"no counts", way<replicate_by_none>},
                                    {"empty list times", way<repeat_nothing>}};

}  // namespace

constexpr MonadWays indices_ways = monad_ways<indices_of>;
constexpr DyadWays replicate_ways = dyad_ways<replications>;

// --- any arguments

Value numeric_counts(Context& cx, const char* who, Value counts) {
  const Array& a = counts.array();
  if (is_number(a.type())) return counts;
  if (a.length == 0) return to_value(make_list(cx.heap, ElementType::i8, 0));
  if (a.type() == ElementType::boxed)
    for (const Value& v : a.boxes())
      if (!v.is_number()) fail(cx, std::string(who) + " must consist of natural numbers (got " + offender(v) + ")");
  if (is_character(a.type())) fail(cx, std::string(who) + " must consist of natural numbers (got characters)");
  return converted(cx.heap, a, narrowest(a));
}

namespace {

// Adds up counts in a numeric storage form; fails where they are no natural numbers or too many.
std::size_t total_count(Context& cx, const char* who, const Array& counts) {
  if (counts.type() == ElementType::bit) return kernels::count_ones(counts.as<std::uint64_t>(), counts.length);
  double sum;
  std::size_t bad = kernels::add_counts(counts.type(), counts.data, counts.length, &sum);
  if (bad < counts.length)
    fail(cx, std::string(who) + " must consist of natural numbers (got " + number_text(number_at(counts, bad)) + ")");
  if (sum > static_cast<double>(max_length))
    fail(cx, std::string(who) + " asks for too many elements (" + number_text(sum) + ")");
  return static_cast<std::size_t>(sum);
}

// Makes the list of places, each as often as its count says.
Value places(Context& cx, const char* who, const Array& counts) {
  std::size_t total = total_count(cx, who, counts), n = counts.length;
  const ElementType type = index_type(n != 0 ? n - 1 : 0);
  const bool marks = counts.type() == ElementType::bit;
  const std::size_t room = marks ? total + kernels::spare_elements(bits_of(type), n) : total;
  Value out(make_plain_list(cx.heap, type, room));
  std::uint8_t* const to = out.array().data.here();
  out.array().length = total;
  if (marks)
    kernels::places_of_ones(type, to, room, counts.as<std::uint64_t>(), n);
  else
    kernels::places_by_counts(type, to, total, counts.type(), counts.data, n);
  return out;
}

}  // namespace

Value indices(Context& cx, Value x) {
  if (rank_of(x) != 1 || x.is_atom()) fail(cx, "Indices: 𝕩 must be a list of natural numbers (got " + kind_text(x) + ")");
  Value counts = numeric_counts(cx, "Indices: 𝕩", std::move(x));
  return places(cx, "Indices: 𝕩", counts.array());
}

namespace {

constexpr const char* counts_name = "Replicate: 𝕨";

Value constant_replicate(Context& cx, std::size_t times, const Value& x, std::size_t axis) {
  if (times == 1) return x;
  const Array& a = x.array();
  Shape shape(a.shape());
  if (__builtin_mul_overflow(shape[axis], times, &shape[axis])) shape[axis] = max_length + 1;
  std::size_t total = checked_length(cx, "Replicate", shape);
  if (total == 0) return slice(cx.heap, x, 0, shape);
  Ref<Array> out = make_array(cx.heap, a.type(), shape);
  if (axis + 1 == a.rank()) {
    CopiedElements copied(*out);
    kernels::repeat_each(bits_of(a.type()), out->data, a.data, a.length, times);
    copied.share();
  } else {
    auto cell = static_cast<std::ptrdiff_t>(product(a.shape().subspan(axis + 1)));
    std::size_t outer = product(a.shape().first(axis + 1));
    BoxAxis axes[3] = {
        {outer, cell * static_cast<std::ptrdiff_t>(times), cell}, {times, cell, 0}, {static_cast<std::size_t>(cell), 1, 1}};
    copy_box(*out, 0, a, 0, axes);
  }
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

}  // namespace

namespace {

Value replicate_to(Context& cx, std::size_t total, const Array& counts, const Value& x) {
  const Array& a = x.array();
  if (total == 0) return slice(cx.heap, x, 0, std::size_t{0});
  const unsigned width = bits_of(a.type());
  Ref<Array> out;
  std::optional<CopiedElements> copied;
  if (counts.type() == ElementType::bit) {
    if (total == a.length) return x;
    // Bits are written as whole words, which lists of bits have.
    const std::size_t room = width == 1 ? total : total + kernels::spare_elements(width, a.length);
    out = a.type() != ElementType::boxed ? Ref<Array>(make_plain_list(cx.heap, a.type(), room))
                                         : make_list(cx.heap, a.type(), room);
    out->length = total;
    copied.emplace(*out);
    kernels::compress(width, out->data.here(), room, a.data, counts.as<std::uint64_t>(), a.length);
  } else {
    out = make_list(cx.heap, a.type(), total);
    copied.emplace(*out);
    kernels::repeat_by_counts(width, out->data, total, a.data, counts.type(), counts.data, a.length);
  }
  copied->share();
  return with_fill_like(cx.heap, to_value(std::move(out)), x);
}

}  // namespace

Value replicate_list(Context& cx, const Array& counts, const Value& x) {
  return replicate_to(cx, total_count(cx, counts_name, counts), counts, x);
}

namespace {

// Replicates along one axis by a count or a list of counts.
// Keeps the same places of each row, as a list with what is kept of one row after the other.
Value keep_in_rows(Context& cx, const Array& kept, const Value& x) {
  const Array& a = x.array();
  Ref<Array> all = make_list(cx.heap, ElementType::bit, a.length);
  copy_bits(all->as<std::uint64_t>(), 0, kept.as<std::uint64_t>(), 0, kept.length);
  repeat_run(*all, kept, a.length);
  Shape shape(a.shape());
  shape[shape.size() - 1] = kernels::count_ones(kept.as<std::uint64_t>(), kept.length);
  return with_shape(cx.heap, replicate_list(cx, *all, ravel(cx.heap, x)), shape);
}

// Says that there are not as many counts as places; absent where there are.
Value counts_refusal(Context& cx, const Array& counts, const Value& x, std::size_t axis) {
  if (counts.length == shape_of(x)[axis]) return Value();
  return make_string(cx.heap, std::string(counts_name) + " must have one count for each place along the axis (" +
                                  std::to_string(counts.length) + " counts, shape " + shape_text(x) + ")");
}

}  // namespace

Value replicate_axis(Context& cx, const Value& w, const Value& x, std::size_t axis) {
  if (w.is_atom() || rank_of(w) == 0) {
    Value count = w.is_atom() ? w : element(w.array(), 0);
    return constant_replicate(cx, read_natural(cx, counts_name, count), x, axis);
  }
  if (rank_of(w) > 1)
    fail(cx, std::string(counts_name) + " must be a count or a list of counts for an axis (got shape " + shape_text(w) + ")");
  if (Value message = counts_refusal(cx, w.array(), x, axis); !message.is_absent()) fail_on(std::move(message), w, x);
  const Value counts = on_operands(w, x, [&] { return numeric_counts(cx, counts_name, w); });
  if (rank_of(x) == 1) return replicate_list(cx, counts.array(), x);
  if (counts.array().type() == ElementType::bit && length_of(x) != 0) {
    if (axis + 1 == rank_of(x)) return keep_in_rows(cx, counts.array(), x);
    if (axis == 0 && is_plain_table(x.array()))
      if (Array* const kept = kept_rows(cx.heap, x.array(), counts.array(), tuning().long_kept_cell / 8)) return Value(kept);
  }
  return select_axis(cx, x, axis, places(cx, counts_name, counts.array()).array(), false);
}

Value replicate_refusal(Context& cx, const Value& w, const Value& x) {
  if (w.is_absent() || rank_of(x) == 0) return Value();
  if (w.is_atom()) return natural_refusal(cx, counts_name, w);
  const Array& a = w.array();
  return a.is_list() && a.length != 0 && is_number(a.type()) ? counts_refusal(cx, a, x, 0) : Value();
}

Value replicate(Context& cx, Value w, Value x) {
  if (w.is_array() && w.array().is_list() && w.array().length == 0) return as_array(cx.heap, std::move(x));
  bool nested = w.is_array() && w.array().type() == ElementType::boxed &&
                std::any_of(w.array().boxes().begin(), w.array().boxes().end(), [](const Value& v) { return v.is_array(); });
  if (!nested) {
    if (rank_of(x) == 0) fail(cx, "Replicate: 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
    return replicate_axis(cx, w, x, 0);
  }
  if (rank_of(w) > 1)
    fail(cx, std::string(counts_name) + " must be a list where it has counts for several axes (got shape " + shape_text(w) + ")");
  std::span<const Value> axes = w.array().boxes();
  if (axes.size() > rank_of(x))
    fail(cx, std::string(counts_name) + " must not have more elements than 𝕩 has axes (" + std::to_string(axes.size()) +
                 " elements, shape " + shape_text(x) + ")");
  for (std::size_t k = axes.size(); k-- > 0;) x = replicate_axis(cx, axes[k], x, k);
  return x;
}

Value undo_replicate(Context& cx, Value w, Value x) {
  if (w.is_array() && w.array().is_list() && w.array().length == 0 && x.is_array()) return x;
  if (rank_of(x) == 0) fail(cx, "Undo of Replicate: 𝕩 must have a rank of at least 1 (got " + kind_text(x) + ")");
  Value counts;
  std::size_t n = x.array().cells();
  if (rank_of(w) == 0) {
    Value count = w.is_atom() ? w : element(w.array(), 0);
    std::size_t times = read_natural(cx, "Undo of Replicate: 𝕨", count);
    if (times == 1) return x;
    if (times == 0 || n % times)
      fail(cx, "Undo of Replicate: Length of 𝕩 must be a multiple of 𝕨 (" + std::to_string(n) + " cells, 𝕨 is " +
                   std::to_string(times) + ")");
    counts = filled(cx.heap, Shape{n / times}, count);
  } else {
    if (rank_of(w) > 1) fail(cx, "Undo of Replicate: 𝕨 must be a count or a list of counts (got shape " + shape_text(w) + ")");
    counts = numeric_counts(cx, "Undo of Replicate: 𝕨", w);
    if (total_count(cx, "Undo of Replicate: 𝕨", counts.array()) != n)
      fail(cx, "Undo of Replicate: 𝕨 must add up to the length of 𝕩 (" + std::to_string(n) + ")");
  }
  const Array& a = counts.array();
  const Ref<Array> starts = make_list(cx.heap, ElementType::f64, a.length);
  double at = 0;
  for (std::size_t i = 0; i < a.length; i++) {
    const double count = number_at(a, i);
    if (count == 0) fail(cx, "Undo of Replicate: 𝕨 must not contain 0");
    starts->as<double>()[i] = at;
    at += count;
  }
  Value result = select_axis(cx, x, 0, *starts);
  if (!matches(cx, replicate(cx, std::move(w), result), x)) fail(cx, "Undo of Replicate: Cells of 𝕩 must repeat as 𝕨 says");
  return result;
}

std::uint64_t first_index(Context&, const Value& x) {
  if (!x.is_array()) return Value::absent_bits;
  const Array& a = x.array();
  if (!a.is_list() || a.type() != ElementType::bit || a.data.elsewhere()) return Value::absent_bits;
  const std::uint64_t* const words = a.as<std::uint64_t>();
  kernels::ElementsDone done;
  for (std::size_t i = 0; i < a.length; i += 64, done.add(64)) {
    if (words[i / 64] == 0) continue;
    const std::size_t place = i + static_cast<std::size_t>(std::countr_zero(words[i / 64]));
    return place < a.length ? Value(place).bits() : Value::absent_bits;
  }
  return Value::absent_bits;
}

namespace {

// Calls f(place of the first, word) for each 64 of n bits.
template <class F>
void each_word(const std::uint64_t* bits, std::size_t n, F f) {
  for (std::size_t i = 0; i < n; i += 64) f(i, bits[i / 64] & kernels::low_bits(n - i));
}
template <class F>
void each_one(std::size_t first, std::uint64_t word, F f) {
  for (; word != 0; word &= word - 1) f(first + static_cast<std::size_t>(std::countr_zero(word)));
}

template <class T>
void put_elements_at_ones(T* to, const T* from, const std::uint64_t* bits, std::size_t n) {
  each_word(bits, n, [&](std::size_t i, std::uint64_t word) {
    if (word == ~std::uint64_t{0}) {
      std::copy_n(from, 64, to + i);
      from += 64;
    } else {
      each_one(i, word, [&](std::size_t place) { to[place] = *from++; });
    }
  });
}
void put_bits_at_ones(std::uint64_t* to, const std::uint64_t* from, const std::uint64_t* bits, std::size_t n) {
  std::size_t at = 0;
  each_word(bits, n, [&](std::size_t i, std::uint64_t left) {
    const std::size_t count = static_cast<std::size_t>(std::popcount(left));
    if (count == 0) return;
    std::uint64_t next = kernels::read_bits(from, at, count), word = to[i / 64] & ~left;
    at += count;
    for (; left != 0; left &= left - 1, next >>= 1) word |= (left & -left) & -(next & 1);
    to[i / 64] = word;
  });
}

}  // namespace

void put_at_ones(Array& to, const Array& from, const Array& bits) {
  const std::uint64_t* const words = bits.as<std::uint64_t>();
  with_type(to.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, Bit>)
      put_bits_at_ones(to.as<std::uint64_t>(), from.as<std::uint64_t>(), words, to.length);
    else
      put_elements_at_ones(to.as<T>(), from.as<T>(), words, to.length);
  });
}

void fill_at_ones(Array& to, const Value& value, const Array& bits) {
  const std::size_t rare = 4096 / bits_of(to.type());
  const std::uint64_t* words = bits.as<std::uint64_t>();
  const std::size_t n = to.length;
  const bool searched = n <= tuning().short_marked_list || kernels::bool_fold().count(words, n, 0) < n / rare;
  with_type(to.type(), [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_arithmetic_v<T>) {
      const T one = value.is_number() ? static_cast<T>(value.number()) : static_cast<T>(value.character());
      if (searched)
        each_word(words, n, [&](std::size_t i, std::uint64_t word) {
          each_one(i, word, [elements = to.as<T>(), one](std::size_t place) { elements[place] = one; });
        });
      else
        kernels::convert().overwrite[static_cast<int>(to.type())](to.data, words, n, &one);
    }
  });
}

}  // namespace griddle::primitives
