// Ways of ⊐ ⊒ ∊ ⍷ for short lists, of atoms, bytes or boxes, and for a few cells.
#include <algorithm>
#include <bit>
#include <cstring>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/elements.h"
#include "primitives/common/plain.h"
#include "primitives/common/tuning.h"
#include "primitives/common/ways.h"
#include "primitives/functions.h"
#include "primitives/kernels/elementwise/compare.h"
#include "primitives/kernels/moves/replicate.h"
#include "primitives/kernels/search/match_few.h"
#include "primitives/kernels/search/pairwise_keys.h"
#include "primitives/search/box_search.h"
#include "primitives/search/few_atoms.h"
#include "primitives/search/first_bits.h"
#include "primitives/search/key_search.h"
#include "primitives/search/searching.h"
#include "primitives/structure/match.h"

namespace griddle::primitives {

namespace {

// --- lists of boxes

// Longer ones are worth a table; the places of these fit a byte. So many are looked for one after the other in any such list, and
// more where there are few pairs.
constexpr std::size_t most_searched_boxes = 96, few_wanted = 4, most_wanted = 16, few_pairs = 128;

bool is_short_list_of_boxes(const Value& v) {
  if (!v.is_array()) return false;
  const Array& a = v.array();
  return a.is_list() && a.type() == ElementType::boxed && a.length <= most_searched_boxes && !a.data.elsewhere();
}

// Tells whether a value is a list of a few, for a search among so many.
bool are_few_wanted(const Value& v, std::size_t among) {
  if (!v.is_array() || !v.array().is_list() || v.array().data.elsewhere()) return false;
  const std::size_t wanted = v.array().length;
  return wanted <= few_wanted || (wanted <= most_wanted && wanted * among <= few_pairs);
}

// Calls found(i, place) for each of a few values that are looked for.
template <class F>
void find_in_boxes(Context& cx, const Array& list, const Array& wanted, F found) {
  for (std::size_t i = 0; i < wanted.length; i++)
    found(i, wanted.type() == ElementType::boxed ? place_among(cx, list.boxes(), wanted.boxes()[i])
                                                 : place_among(cx, list.boxes(), plain_element(wanted, i)));
}

Value index_among_boxes(Context& cx, const Value& w, const Value& x) {
  if (!is_short_list_of_boxes(w) || !are_few_wanted(x, w.array().length)) return Value();
  std::size_t places[most_wanted];
  find_in_boxes(cx, w.array(), x.array(), [&](std::size_t i, std::size_t place) { places[i] = place; });
  return small_numbers(cx, x.array().length, [&](std::size_t i) { return places[i]; });
}
Value member_of_boxes(Context& cx, const Value& w, const Value& x) {
  if (!is_short_list_of_boxes(x) || !are_few_wanted(w, x.array().length)) return Value();
  const std::size_t n = x.array().length;
  std::uint64_t marks = 0;
  find_in_boxes(cx, x.array(), w.array(), [&](std::size_t i, std::size_t place) { marks |= std::uint64_t{place < n} << i; });
  return Value(list_of_word(cx.heap, w.array().length, marks));
}

// --- lists of bytes

bool is_list_of_bytes(const Value& v, std::size_t longest) {
  return is_flat_list(v) && v.array().length <= longest && bits_of(v.array().type()) == 8;
}

// Marks bytes that are among others, of which there is a bit for each byte there can be.
Value member_of_bytes(Context& cx, const Value& w, const Value& x) {
  constexpr std::size_t longest = 1 << 16;
  if (!is_list_of_bytes(x, tuning().longest_searched_bytes) || !is_list_of_bytes(w, longest)) return Value();
  const Array &bytes = w.array(), &among = x.array();
  if (bytes.type() != among.type()) return Value();
  std::uint64_t set[4] = {};
  const std::uint8_t* members = among.data.here();
  for (std::size_t i = 0; i < among.length; i++) set[members[i] / 64] |= std::uint64_t{1} << members[i] % 64;
  Array* const marks = make_plain_list(cx.heap, ElementType::bit, bytes.length);
  kernels::match_bytes(set, bytes.data.here(), bytes.length, marks->as<std::uint64_t>());
  return Value(marks);
}

// Makes a list of the different ones of bytes of few kinds.
std::uint64_t keep_few_bytes(Heap& heap, LongList a) {
  if (bits_of(a->type()) != 8) return declined;
  std::uint8_t different[kernels::most_distinct_bytes];
  const std::size_t count = kernels::list_few_bytes(a->data.here(), a->length, different);
  if (count == 0) return declined;
  Array* const out = make_plain_list(heap, a->type(), count);
  std::memcpy(out->data.here(), different, count);
  return bits_of_array(out);
}
// Numbers them, or those of a list so short that it is no longer looked at.
std::uint64_t number_bytes(Context& cx, LongList a) {
  if (bits_of(a->type()) != 8) return declined;
  std::uint8_t different[kernels::most_distinct_bytes];
  const std::size_t count = kernels::list_few_bytes(a->data.here(), a->length, different);
  if (count == 0) {
    if (a->length > tuning().most_foretold) return declined;
    CellKeys keys;
    keys.data = a->data.here(), keys.width = 8, keys.count = a->length;
    return classify_keys(cx, keys).leak();
  }
  std::uint8_t numbers[256] = {};
  for (std::size_t k = 0; k < count; k++) numbers[different[k]] = static_cast<std::uint8_t>(k);
  Array* const out = make_plain_list(cx.heap, ElementType::i8, a->length);
  kernels::look_up_bytes(numbers, a->data.here(), a->length, out->data.here());
  return bits_of_array(out);
}

// --- one element

constexpr std::size_t undecided = ~std::size_t{0};

// Gives the place of what is looked for, an atom or the one element of a list or unit, in a list of atoms or a short one of
// boxes; its length where it is none.
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
  return wanted.is_number() || wanted.is_character() ? first_equal(a, wanted) : undecided;
}

Value index_of_one(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = rank_of(x) == 0 ? place_at_once(cx, w, x) : undecided;
  return place == undecided ? Value() : enclose(cx.heap, place);
}
Value is_one_in(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = rank_of(w) == 0 ? place_at_once(cx, x, w) : undecided;
  if (place == undecided) return Value();
  // A list of one lies in memory as a unit does.
  Array* const unit = make_plain_list(cx.heap, ElementType::bit, 1);
  unit->set_rank(0);
  *unit->as<std::uint64_t>() = place < x.array().length;
  return Value(unit);
}

// --- a few atoms, of different types

Value index_among_atoms(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  if (!is_short_list(w) || !is_short_list(x)) return Value();
  read(x.array(), wanted);
  read(w.array(), list);
  return small_numbers(cx, wanted.count, [&](std::size_t i) {
    return list.characters != wanted.characters ? list.count : place_in_atoms(list, wanted.at[i], list.count);
  });
}
Value member_of_atoms(Context& cx, const Value& w, const Value& x) {
  Atoms list, wanted;
  if (!is_short_list(x) || !is_short_list(w)) return Value();
  read(w.array(), wanted);
  read(x.array(), list);
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < wanted.count; i++) {
    const bool is_member = list.characters == wanted.characters && place_in_atoms(list, wanted.at[i], list.count) != list.count;
    marks |= std::uint64_t{is_member} << i;
  }
  return Value(list_of_word(cx.heap, wanted.count, marks));
}
[[gnu::noinline]] Value count_of(Context& cx, const Array& a) {
  Atoms atoms;
  read(a, atoms);
  return small_numbers(cx, atoms.count,
                       [&](std::size_t i) { return std::count(atoms.at.begin(), atoms.at.begin() + i, atoms.at[i]); });
}
std::uint64_t count_atoms(Context& cx, List a) { return a->length <= most_atoms ? count_of(cx, *a.array).leak() : declined; }

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

// --- plain elements, each compared with each

using kernels::FewKeys;
using Decide = bool(FewKeys, std::size_t few, std::size_t n);

FewKeys kind_of(ElementType type) {
  switch (bits_of(type)) {
    case 8: return FewKeys::bits8;
    case 16: return FewKeys::bits16;
    case 32: return FewKeys::bits32;
    default: return FewKeys::doubles;
  }
}

bool is_plain(const Array& a) {
  return a.type() != ElementType::bit && a.type() != ElementType::boxed && has_plain_fill(a) && !a.data.elsewhere();
}

// Tells whether a list is better compared with itself than its elements are looked up.
bool pays_with_itself(const Array& a, Decide pays) {
  return a.length <= kernels::most_few_keys && a.type() != ElementType::bit && pays(kind_of(a.type()), a.length, a.length / 2);
}
// Tells whether elements of an array are better compared with those of a list.
bool pays_with_others(const Value& list, const Value& others, std::size_t most, Decide pays) {
  if (!list.is_array() || !others.is_array()) return false;
  const Array &few = list.array(), &a = others.array();
  return few.is_list() && a.rank() != 0 && few.type() == a.type() && few.length - 1 < most && is_plain(few) && is_plain(a) &&
         pays(kind_of(a.type()), few.length, a.length);
}

Value index_pairwise(Context& cx, const Value& w, const Value& x) {
  if (!pays_with_others(w, x, kernels::most_few_keys, kernels::are_found_by_comparing)) return Value();
  const Array &list = w.array(), &a = x.array();
  Ref<Array> places = make_plain_like(cx.heap, ElementType::i8, a);
  kernels::find_among_few(kind_of(a.type()), list.data, list.length, a.data, a.length, places->as<std::uint8_t>());
  return to_value(std::move(places));
}
Value member_pairwise(Context& cx, const Value& w, const Value& x) {
  if (!pays_with_others(x, w, kernels::most_marked_keys, kernels::are_marked_by_comparing)) return Value();
  const Array &list = x.array(), &a = w.array();
  Ref<Array> marks = make_plain_like(cx.heap, ElementType::bit, a);
  kernels::mark_among_few(kind_of(a.type()), list.data, list.length, a.data, a.length, marks->as<std::uint64_t>());
  return to_value(std::move(marks));
}

std::uint64_t classify_pairwise(Heap& heap, List a) {
  if (!pays_with_itself(a, kernels::are_found_by_comparing)) return declined;
  std::uint8_t first[kernels::most_few_keys];
  kernels::first_of_few(kind_of(a->type()), a->data, a->length, first);
  Array* const result = make_plain_list(heap, ElementType::i8, a->length);
  number_by_first_places(first, a->length, result->as<std::uint8_t>());
  return bits_of_array(result);
}
std::uint64_t mark_firsts_pairwise(Heap& heap, List a) {
  if (!pays_with_itself(a, kernels::are_marked_by_comparing)) return declined;
  std::uint64_t marks[2];
  kernels::mark_first_of_few(kind_of(a->type()), a->data, a->length, marks);
  Array* const result = make_plain_list(heap, ElementType::bit, a->length);
  std::memcpy(result->data.here(), marks, a->length > 64 ? sizeof marks : sizeof *marks);
  return bits_of_array(result);
}
std::uint64_t deduplicate_pairwise(Heap& heap, List a) {
  if (!pays_with_itself(a, kernels::are_marked_by_comparing)) return declined;
  std::uint64_t marks[2];
  kernels::mark_first_of_few(kind_of(a->type()), a->data, a->length, marks);
  const auto count = static_cast<std::size_t>(std::popcount(marks[0]) + std::popcount(marks[1]));
  if (count == a->length) return shared(bits_of_array(a.array));
  const unsigned width = bits_of(a->type());
  constexpr std::size_t room = kernels::most_few_keys + kernels::spare_elements(8, 128);
  std::uint64_t kept[room];
  kernels::compress(width, kept, sizeof kept * 8 / width, a->data, marks, a->length);
  Array* const result = make_plain_list(heap, a->type(), count);
  copy_piece(result->data.here(), reinterpret_cast<const std::uint8_t*>(kept), (count * width + 63) / 64 * 8);
  return bits_of_array(result);
}

// --- a few cells or boxes

// Up to so many are matched with each other: most differ soon, and nothing needs to be hashed. Of short cells there may be more.
constexpr std::size_t most_matched = 6, most_short_cells = 16, longest_short_cell = 64;

// Tells at once that most arrays have others, or more of them.
bool may_be_few(const Array& a) {
  return (a.rank() > 1 || a.type() == ElementType::boxed) && a.rank() != 0 && a.cells() <= most_short_cells;
}

// Writes the first place of each of a few cells; false where there are more.
bool match_few_cells(Context& cx, const Array& a, std::uint8_t* first) {
  const std::size_t n = a.cells();
  const auto match = [&](std::size_t most, auto equal) {
    for (std::size_t i = 0; i < n && n <= most; i++) {
      std::size_t k = 0;
      while (k < i && (first[k] != k || !equal(i, k))) k++;
      first[i] = static_cast<std::uint8_t>(k);
    }
    return n - 1 < most;
  };
  if (a.data.elsewhere()) return false;
  if (a.type() == ElementType::boxed)
    return a.is_list() && match(most_matched, [&, boxes = a.as<Value>()](std::size_t i, std::size_t k) {
             return matches(cx, boxes[i], boxes[k]);
           });
  const std::size_t cell = a.cell_length(), bytes = cell * (bits_of(a.type()) / 8);
  if (a.type() != ElementType::f64 && bytes - 1 < longest_short_cell)
    return match(most_short_cells, [bytes, from = a.data.here()](std::size_t i, std::size_t k) {
      return std::memcmp(from + i * bytes, from + k * bytes, bytes) == 0;
    });
  return cell != 0 &&
         match(most_matched, [&](std::size_t i, std::size_t k) { return equal_runs(a, i * cell, a, k * cell, cell); });
}

std::uint64_t classify_few_cells(Context& cx, AnyArray a) {
  std::uint8_t first[most_short_cells];
  if (!may_be_few(a) || !match_few_cells(cx, a, first)) return declined;
  Array* const result = make_plain_list(cx.heap, ElementType::i8, a->cells());
  number_by_first_places(first, a->cells(), result->as<std::uint8_t>());
  return bits_of_array(result);
}
std::uint64_t mark_first_of_few_cells(Context& cx, AnyArray a) {
  std::uint8_t first[most_short_cells];
  if (!may_be_few(a) || !match_few_cells(cx, a, first)) return declined;
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < a->cells(); i++) marks |= std::uint64_t{first[i] == i} << i;
  return bits_of_array(list_of_word(cx.heap, a->cells(), marks));
}
std::uint64_t distinct_of_few_cells(Context& cx, AnyArray a) {
  std::uint8_t first[most_short_cells];
  if (!may_be_few(a) || !match_few_cells(cx, a, first)) return declined;
  const std::size_t n = a->cells(), cell = a->cell_length();
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; i++) count += first[i] == i;
  if (count == n) return shared(bits_of_array(a.array));
  Shape shape(a->shape());
  shape[0] = count;
  Ref<Array> result = make_array(cx.heap, a->type(), shape);
  for (std::size_t i = 0, at = 0; i < n; i++)
    if (first[i] == i) copy_run(*result, at, a, i * cell, cell), at += cell;
  return with_fill_like(cx.heap, to_value(std::move(result)), Value::share(const_cast<Array*>(a.array))).leak();
}

// Finds a few long cells among others of the same plain type and shape, one after the other, and calls found(i, place).
template <class F>
bool find_few_cells(const Array& a, const Array& b, F found) {
  if (a.rank() < 2 || b.rank() != a.rank()) return false;
  const std::size_t n = a.cells(), count = b.cells(), cell = a.cell_length();
  if (a.type() != b.type() || a.type() == ElementType::boxed || !same_shape(a.shape().subspan(1), b.shape().subspan(1)) ||
      std::max(n, std::size_t{1}) * count > most_matched * most_matched || bytes_for(a.type(), cell) <= 16 ||
      a.data.elsewhere() || b.data.elsewhere())
    return false;
  for (std::size_t i = 0; i < count; i++) {
    std::size_t k = 0;
    while (k < n && !equal_runs(a, k * cell, b, i * cell, cell)) k++;
    found(i, k);
  }
  return true;
}

std::uint64_t index_of_few_cells(Context& cx, AnyArray w, AnyArray x) {
  std::size_t places[most_matched * most_matched];
  if (!find_few_cells(w, x, [&](std::size_t i, std::size_t place) { places[i] = place; })) return declined;
  return small_numbers(cx, x->cells(), [&](std::size_t i) { return places[i]; }).leak();
}
std::uint64_t member_of_few_cells(Context& cx, AnyArray w, AnyArray x) {
  std::uint64_t marks = 0;
  const auto mark = [&](std::size_t i, std::size_t place) { marks |= std::uint64_t{place < x->cells()} << i; };
  return find_few_cells(x, w, mark) ? bits_of_array(list_of_word(cx.heap, w->cells(), marks)) : declined;
}

// --- nothing

std::uint64_t numbers_of_nothing(Heap& heap, EmptyList) { return bits_of_array(make_plain_list(heap, ElementType::i8, 0)); }
std::uint64_t distinct_of_nothing(Heap&, EmptyList a) { return shared(bits_of_array(a.array)); }

constexpr DyadWay places_in[] = {{"one atom", way<index_of_one>},   {"few among boxes", way<index_among_boxes>},
                                 {"pairwise", way<index_pairwise>}, {"few atoms", way<index_among_atoms>},
                                 {"bits", way<index_bits>},         {"few cells", way<index_of_few_cells>}};
constexpr DyadWay members[] = {{"one atom", way<is_one_in>},           {"few among boxes", way<member_of_boxes>},
                               {"pairwise", way<member_pairwise>},     {"bytes", way<member_of_bytes>},
                               {"few atoms", way<member_of_atoms>},    {"bits", way<mark_bits>},
                               {"few cells", way<member_of_few_cells>}};
constexpr MonadWay classifications[] = {{"bits", way<classify_bits>},
                                        {"pairwise", way<classify_pairwise>},
                                        {"bytes", way<number_bytes>},
                                        {"few cells", way<classify_few_cells>},
                                        {"nothing", way<numbers_of_nothing>}};
constexpr MonadWay occurrences[] = {{"few atoms", way<count_atoms>}};
constexpr MonadWay firsts[] = {{"bits", way<mark_first_bits>},
                               {"pairwise", way<mark_firsts_pairwise>},
                               {"few cells", way<mark_first_of_few_cells>},
                               {"nothing", way<numbers_of_nothing>}};
constexpr MonadWay distinct[] = {{"bits", way<keep_first_bits>},
                                 {"pairwise", way<deduplicate_pairwise>},
                                 {"few bytes", way<keep_few_bytes>},
                                 {"few cells", way<distinct_of_few_cells>},
                                 {"nothing", way<distinct_of_nothing>}};

}  // namespace

constexpr DyadWays index_of_ways = dyad_ways<places_in>, member_of_ways = dyad_ways<members>;
constexpr MonadWays classify_ways = monad_ways<classifications>, occurrence_count_ways = monad_ways<occurrences>,
                    mark_firsts_ways = monad_ways<firsts>, deduplicate_ways = monad_ways<distinct>;

std::uint64_t place_of_one(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = place_at_once(cx, w, x);
  return place == undecided ? Value::absent_bits : Value(place).bits();
}
std::uint64_t is_one_member(Context& cx, const Value& w, const Value& x) {
  const std::size_t place = place_at_once(cx, x, w);
  return place == undecided ? Value::absent_bits : Value(place < x.array().length).bits();
}

}  // namespace griddle::primitives
