// Ways of ⊐ ⊒ ∊ ⍷ for short lists, of atoms, bytes or boxes.
#include <algorithm>
#include <array>
#include <cstring>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/plain.h"
#include "primitives/common/small_integer.h"
#include "primitives/common/tuning.h"
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/search/box_search.h"
#include "primitives/search/few_atoms.h"
#include "primitives/search/few_cells.h"
#include "primitives/search/first_bits.h"
#include "primitives/search/pairwise_search.h"
#include "primitives/search/searching.h"

namespace griddle::primitives {

namespace {

// --- lists of boxes

// Longer ones are worth a table; the places of these fit a byte.
constexpr std::size_t most_searched_boxes = 96, most_wanted = 4;

bool is_short_list_of_boxes(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.type() == ElementType::boxed && a.length <= most_searched_boxes && !a.data.elsewhere();
}

// Tells whether a value is one element, or a list of a few.
bool are_few_wanted(const Value& v) {
  if (!v.is_array()) return !v.is_mark();
  const Array& a = v.array();
  return a.rank() == 0 || (a.is_list() && a.length <= most_wanted);
}

// Calls found(i, place) for each of few values that are looked for.
template <class F>
void find_in_boxes(Context& cx, const Value& list, const Value& wanted, F found) {
  const std::span<const Value> boxes = list.array().boxes();
  if (!wanted.is_array()) return found(0, place_among(cx, boxes, wanted));
  const Array& a = wanted.array();
  for (std::size_t i = 0; i < a.length; i++)
    found(i, a.type() == ElementType::boxed ? place_among(cx, boxes, a.boxes()[i]) : place_among(cx, boxes, plain_element(a, i)));
}

Value index_among_boxes(Context& cx, const Value& w, const Value& x) {
  if (!is_short_list_of_boxes(w) || !are_few_wanted(x)) return Value();
  std::size_t places[most_wanted];
  find_in_boxes(cx, w, x, [&](std::size_t i, std::size_t place) { places[i] = place; });
  if (rank_of(x) == 0) return enclose(cx.heap, places[0]);
  return small_numbers(cx, x.array().length, [&](std::size_t i) { return places[i]; });
}
Value member_of_boxes(Context& cx, const Value& w, const Value& x) {
  if (!is_short_list_of_boxes(x) || !are_few_wanted(w)) return Value();
  std::uint64_t marks = 0;
  find_in_boxes(cx, x, w, [&](std::size_t i, std::size_t place) { marks |= std::uint64_t{place < x.array().length} << i; });
  if (rank_of(w) == 0) return enclose(cx.heap, marks != 0);
  return bits_where(cx, w.array().length, [&](std::size_t i) { return (marks >> i & 1) != 0; });
}

// --- lists of bytes

// Tells whether a value is a list of bytes that are read soon.
bool is_list_of_bytes(const Value& v, std::size_t longest = tuning().longest_searched_bytes) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.length <= longest && bits_of(a.type()) == 8 && has_plain_fill(a) && !a.data.elsewhere();
}

// Marks bytes that are among others, of which there is a bit for each byte there can be.
Value marked_bytes(Context& cx, const Array& bytes, const Array& among) {
  std::uint64_t set[4] = {};
  const std::uint8_t* members = among.data.here();
  for (std::size_t i = 0; i < among.length; i++) set[members[i] / 64] |= std::uint64_t{1} << members[i] % 64;
  Array* const marks = make_plain_list(cx.heap, ElementType::bit, bytes.length);
  kernels::match_bytes(set, bytes.data.here(), bytes.length, marks->as<std::uint64_t>());
  return Value(marks);
}

// Gives the place of one atom among bytes.
std::size_t place_of_byte(const Array& bytes, const Value& wanted) {
  const bool characters = bytes.type() == ElementType::c8;
  if (wanted.is_character() != characters) return bytes.length;
  const double element = characters ? static_cast<double>(wanted.character()) : wanted.number();
  const std::int32_t byte = truncated(element);
  if (byte != element || byte < (characters ? 0 : -128) || byte > (characters ? 255 : 127)) return bytes.length;
  const std::uint8_t* from = bytes.data.here();
  const void* found = std::memchr(from, byte & 255, bytes.length);
  return found ? static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - from) : bytes.length;
}

Value member_of_bytes(Context& cx, const Value& w, const Value& x) {
  constexpr std::size_t longest = 1 << 16;
  if (!is_list_of_bytes(x) || !is_list_of_bytes(w, longest) || w.array().type() != x.array().type()) return Value();
  return marked_bytes(cx, w.array(), x.array());
}

// Tells of bytes, one after another, whether they are new.
class MetBytes {
 public:
  bool is_new(std::uint8_t byte) {
    const std::uint64_t bit = std::uint64_t{1} << (byte & 63), before = met_[byte >> 6];
    met_[byte >> 6] = before | bit;
    return (before & bit) == 0;
  }

 private:
  std::uint64_t met_[4] = {};
};
constexpr std::size_t most_searched_bytes = 64;

bool are_few_bytes(List a) { return a->length <= most_searched_bytes && bits_of(a->type()) == 8; }

std::uint64_t mark_first_bytes(Heap& heap, List a) {
  if (!are_few_bytes(a)) return declined;
  MetBytes met;
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < a->length; i++) marks |= std::uint64_t{met.is_new(a->as<std::uint8_t>()[i])} << i;
  return bits_of_array(list_of_word(heap, a->length, marks));
}
[[gnu::noinline]] std::uint64_t distinct_of(Heap& heap, const Array& a) {
  MetBytes met;
  std::uint8_t kept[most_searched_bytes];
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.length; i++) {
    const std::uint8_t byte = a.as<std::uint8_t>()[i];
    kept[count] = byte;
    count += met.is_new(byte);
  }
  if (count == a.length) return shared(bits_of_array(&a));
  Array* const result = make_plain_list(heap, a.type(), count);
  std::memcpy(result->data.here(), kept, count);
  return bits_of_array(result);
}
std::uint64_t distinct_bytes(Heap& heap, List a) { return are_few_bytes(a) ? distinct_of(heap, *a.array) : declined; }

// --- lists of a few atoms

constexpr std::size_t undecided = ~std::size_t{0};

// Gives the place of what is looked for, an atom or the one element of a list or unit, in a short list; its length where it is
// none.
std::size_t place_at_once(Context& cx, const Value& list, const Value& wanted) {
  if (!list.is_array() || wanted.is_mark()) return undecided;
  const Array& a = list.array();
  if (!a.is_list() || a.data.elsewhere()) return undecided;
  if (wanted.is_array()) {
    const Array& one = wanted.array();
    if (one.rank() > 1 || one.length != 1 || one.data.elsewhere()) return undecided;
    if (one.type() != ElementType::boxed) return place_at_once(cx, list, plain_element(one, 0));
    return is_short_list_of_boxes(list) ? place_among(cx, a.boxes(), one.boxes()[0]) : undecided;
  }
  if (a.type() == ElementType::boxed) return is_short_list_of_boxes(list) ? place_among(cx, a.boxes(), wanted) : undecided;
  if (!wanted.is_number() && !wanted.is_character()) return undecided;
  if (bits_of(a.type()) == 8) return is_list_of_bytes(list) ? place_of_byte(a, wanted) : undecided;
  if (a.length > most_atoms || a.type() == ElementType::bit) return undecided;
  if (is_character(a.type()) != wanted.is_character()) return a.length;
  const double element = wanted.is_character() ? static_cast<double>(wanted.character()) : wanted.number();
  if (element != element) return undecided;
  return with_type(a.type(), [&](auto type) -> std::size_t {
    using T = typename decltype(type)::type;
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<std::size_t>(std::find(a.as<T>(), a.as<T>() + a.length, element) - a.as<T>());
    return undecided;
  });
}

bool is_number_or_character(const Value& v) { return v.is_number() || v.is_character(); }
Value index_of_one(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = is_number_or_character(x) ? place_at_once(cx, w, x) : undecided;
  return place == undecided ? Value() : enclose(cx.heap, place);
}
Value is_one_in(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = is_number_or_character(w) ? place_at_once(cx, x, w) : undecided;
  return place == undecided ? Value() : enclose(cx.heap, place < x.array().length);
}
Value index_among_atoms(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  if (!is_short_list(w) || !read_wanted(x, wanted)) return Value();
  read(w.array(), list);
  const auto place = [&](std::size_t i) {
    return list.characters != wanted.characters ? list.count : place_in_atoms(list, wanted.at[i], list.count);
  };
  return rank_of(x) != 0 ? small_numbers(cx, wanted.count, place) : enclose(cx.heap, place(0));
}
Value member_of_atoms(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  if (!is_short_list(x) || !read_wanted(w, wanted)) return Value();
  read(x.array(), list);
  const auto is_member = [&](std::size_t i) {
    return list.characters == wanted.characters && place_in_atoms(list, wanted.at[i], list.count) != list.count;
  };
  return rank_of(w) != 0 ? bits_where(cx, wanted.count, is_member) : enclose(cx.heap, is_member(0));
}
[[gnu::noinline]] Value classify_of(Context& cx, const Array& a) {
  Atoms atoms;
  read(a, atoms);
  std::array<std::uint8_t, most_atoms> number;
  std::uint8_t next = 0;
  return small_numbers(cx, atoms.count, [&](std::size_t i) {
    const std::size_t first = place_in_atoms(atoms, atoms.at[i], i);
    return number[i] = first == i ? next++ : number[first];
  });
}
std::uint64_t classify_atoms(Context& cx, List a) {
  return a->length <= most_atoms && a->type() != ElementType::bit ? classify_of(cx, *a.array).leak() : declined;
}
[[gnu::noinline]] Value count_of(Context& cx, const Array& a) {
  Atoms atoms;
  read(a, atoms);
  return small_numbers(cx, atoms.count,
                       [&](std::size_t i) { return std::count(atoms.at.begin(), atoms.at.begin() + i, atoms.at[i]); });
}
std::uint64_t count_atoms(Context& cx, List a) { return a->length <= most_atoms ? count_of(cx, *a.array).leak() : declined; }
[[gnu::noinline]] Value mark_first_of(Context& cx, const Array& a) {
  Atoms atoms;
  read(a, atoms);
  return bits_where(cx, atoms.count, [&](std::size_t i) { return place_in_atoms(atoms, atoms.at[i], i) == i; });
}
std::uint64_t mark_first_atoms(Context& cx, List a) {
  return a->length <= most_atoms ? mark_first_of(cx, *a.array).leak() : declined;
}
[[gnu::noinline]] Value distinct_of_atoms(Context& cx, const Array& a) {
  Atoms atoms;
  read(a, atoms);
  const std::size_t width = bits_of(a.type()) / 8;
  std::uint8_t kept[most_atoms * sizeof(double)];
  std::size_t count = 0;
  for (std::size_t i = 0; i < atoms.count; i++)
    if (place_in_atoms(atoms, atoms.at[i], i) == i) std::memcpy(kept + count++ * width, a.data + i * width, width);
  if (count == atoms.count) return Value::share(const_cast<Array*>(&a));
  Ref<Array> result = make_list(cx.heap, a.type(), count);
  std::memcpy(result->data, kept, count * width);
  return to_value(std::move(result));
}
std::uint64_t distinct_atoms(Context& cx, List a) {
  return a->length <= most_atoms && a->type() != ElementType::bit ? distinct_of_atoms(cx, *a.array).leak() : declined;
}

// --- bits, of which there are but two

std::uint64_t mark_first_bits(Heap& heap, LongList a) {
  return a->type() == ElementType::bit ? bits_of_array(marks_of_first_bits(heap, *a.array)) : declined;
}
std::uint64_t keep_first_bits(Heap& heap, LongList a) {
  return a->type() == ElementType::bit ? bits_of_array(distinct_bits(heap, *a.array)) : declined;
}
// The first kind is numbered 0.
std::uint64_t classify_bits(Heap& heap, LongList a) {
  if (a->type() != ElementType::bit) return declined;
  if (!a->bit(0)) return shared(bits_of_array(a.array));
  Array* const out = make_plain_list(heap, ElementType::bit, a->length);
  kernels::compare().not_bits(out->data.here(), a->data.here(), a->length);
  return bits_of_array(out);
}

// Looks for bits by looking for 0 and 1.
std::uint64_t index_bits(Context& cx, LongList w, AnyArray x) {
  if (x->type() != ElementType::bit || x->length == 0) return declined;
  const auto place = [&](double bit) { return Value(static_cast<double>(first_equal(*w.array, Value(bit)))); };
  return choose_by_bits(cx, *x.array, place(0), place(1)).leak();
}
std::uint64_t mark_bits(Context& cx, AnyArray w, LongList x) {
  if (w->type() != ElementType::bit || w->length == 0) return declined;
  const auto is_there = [&](double bit) { return Value(first_equal(*x.array, Value(bit)) < x->length); };
  return choose_by_bits(cx, *w.array, is_there(0), is_there(1)).leak();
}

// --- what is compared with itself

std::uint64_t classify_pairwise(Context& cx, List a) {
  return a->length <= kernels::most_few_keys ? few_classify(cx, *a.array).leak() : declined;
}
std::uint64_t mark_firsts_pairwise(Context& cx, List a) {
  return a->length <= kernels::most_few_keys ? few_mark_firsts(cx, *a.array).leak() : declined;
}
std::uint64_t deduplicate_pairwise(Context& cx, List a) {
  return a->length <= kernels::most_few_keys ? few_deduplicate(cx, *a.array).leak() : declined;
}
// Cells or boxes.
template <Value (*code)(Context&, const Value& x)>
std::uint64_t if_few_cells(Context& cx, AnyArray a) {
  const bool may_serve = (a->rank() > 1 || a->type() == ElementType::boxed) && a->cells() <= most_few_cells;
  return may_serve ? code(cx, Value::share(const_cast<Array*>(a.array))).leak() : declined;
}

// --- nothing

std::uint64_t numbers_of_nothing(Heap& heap, EmptyList) { return bits_of_array(make_plain_list(heap, ElementType::i8, 0)); }
std::uint64_t distinct_of_nothing(Heap&, EmptyList a) { return shared(bits_of_array(a.array)); }

constexpr DyadWay places_in[] = {{"one atom", way<index_of_one>}, {"few among boxes", way<index_among_boxes>},
                                 {"pairwise", way<few_index_of>}, {"few atoms", way<index_among_atoms>},
                                 {"bits", way<index_bits>},       {"few cells", way<index_of_few_cells>}};
constexpr DyadWay members[] = {{"one atom", way<is_one_in>},           {"few among boxes", way<member_of_boxes>},
                               {"pairwise", way<few_member_of>},       {"bytes", way<member_of_bytes>},
                               {"few atoms", way<member_of_atoms>},    {"bits", way<mark_bits>},
                               {"few cells", way<member_of_few_cells>}};
constexpr MonadWay classifications[] = {{"bits", way<classify_bits>},
                                        {"pairwise", way<classify_pairwise>},
                                        {"few atoms", way<classify_atoms>},
                                        {"few cells", way<if_few_cells<classify_few_cells>>},
                                        {"nothing", way<numbers_of_nothing>}};
constexpr MonadWay occurrences[] = {{"few atoms", way<count_atoms>}};
constexpr MonadWay firsts[] = {{"bits", way<mark_first_bits>},
                               {"pairwise", way<mark_firsts_pairwise>},
                               {"few bytes", way<mark_first_bytes>},
                               {"few atoms", way<mark_first_atoms>},
                               {"few cells", way<if_few_cells<mark_first_of_few_cells>>},
                               {"nothing", way<numbers_of_nothing>}};
constexpr MonadWay distinct[] = {{"bits", way<keep_first_bits>},
                                 {"pairwise", way<deduplicate_pairwise>},
                                 {"few bytes", way<distinct_bytes>},
                                 {"few atoms", way<distinct_atoms>},
                                 {"few boxes", way<if_few_cells<distinct_of_few_boxes>>},
                                 {"few cells", way<if_few_cells<distinct_of_few_cells>>},
                                 {"nothing", way<distinct_of_nothing>}};

}  // namespace

constexpr DyadWays index_of_ways = dyad_ways<U'⊐', places_in>, member_of_ways = dyad_ways<U'∊', members>;
constexpr MonadWays classify_ways = monad_ways<U'⊐', classifications>, occurrence_count_ways = monad_ways<U'⊒', occurrences>,
                    mark_firsts_ways = monad_ways<U'∊', firsts>, deduplicate_ways = monad_ways<U'⍷', distinct>;

std::uint64_t place_of_one(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = place_at_once(cx, w, x);
  return place == undecided ? Value::absent_bits : Value(place).bits();
}
std::uint64_t is_one_member(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = place_at_once(cx, x, w);
  return place == undecided ? Value::absent_bits : Value(place < x.array().length).bits();
}

}  // namespace griddle::primitives
