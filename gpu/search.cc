// Order and search on the device. Elements that are few different integers or characters go through tables by value, all others
// through sorting.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "gpu/parts.h"

namespace griddle::gpu {

namespace {

// From so many elements on, those of so few values are counted instead of sorted, and their extremes looked for: among the first
// ones to begin with.
constexpr std::size_t counted_from = 1 << 14, extremes_from = 1 << 22, first_ones = 1 << 18;
constexpr double counted_values = 8192;

}  // namespace

// Bits in order follow from how many are set.
static Arg sorted_bits(Workshop& shop, const Arg& x, bool down, const char* maker) {
  const double ones = static_cast<double>(count_marks(shop, x, maker)), zeros = static_cast<double>(x->length) - ones;
  const Arg places = counted_up(shop, x->length);
  return shop.linked(
      down ? Link{griddle_greater, {}, places, ones, true, false} : Link{griddle_greater, places, {}, zeros - 1, false, true},
      {0, 1, true}, x->length, maker, true);
}

// The values of elements that are counted rather than sorted. Where there are many elements it pays to look for the extremes.
static std::optional<Values> sorting_values(Workshop& shop, const Arg& a) {
  if (a->length < counted_from || a->length > most_places || a->type == ElementType::f64) return std::nullopt;
  Bounds b = a->bounds;
  if (b.high - b.low >= counted_values && a->length >= extremes_from) {
    const Bounds some = extremes(shop, first_of(shop, a, first_ones));
    if (some.high - some.low < counted_values) b = extremes(shop, a);
  }
  const double count = b.high - b.low + 1;
  if (count > counted_values) return std::nullopt;
  return Values{static_cast<std::int64_t>(b.low), static_cast<std::uint64_t>(count)};
}

static Arg sorted_by_counts(Workshop& shop, const Arg& a, const Values& values, bool down, const char* maker) {
  const double low = static_cast<double>(values.low), most = static_cast<double>(values.count - 1);
  const std::size_t count = values.count;
  const void* from = a->memory();
  Arg counts = shop.made(ElementType::i32, count, {0, static_cast<double>(a->length), true}, maker);
  auto* numbers = static_cast<std::int32_t*>(counts->allocate());
  shop.run<&griddle_plugin::count_values>(maker, plugin_type(a->type), from, a->length, values.low, count, numbers);
  Arg all = shop.made(ElementType::i32, count, {0, most, true}, maker);
  all->set_range();
  Arg in_order = shop.made(a->type, count, a->bounds, maker);
  in_order->set_link(down ? Link{griddle_subtract, {}, all, low + most, true, false}
                          : Link{griddle_add, all, {}, low, false, true});
  if (down) counts = chosen(shop, counts, static_cast<std::int64_t>(count - 1), {{count, -1, 0, 0}}, false, maker);
  return repeated(shop, counts, in_order, static_cast<double>(a->length));
}

Arg sorted(Workshop& shop, const Arg& x, bool down) {
  const char* maker = down ? "Sort Down" : "Sort Up";
  if (x->type == ElementType::bit && x->length <= most_places) return sorted_bits(shop, x, down, maker);
  Arg a = shop.without_bits(x);
  if (const auto values = sorting_values(shop, a)) return sorted_by_counts(shop, a, *values, down, maker);
  if (!a->bounds.integral) a = one_zero(shop, a);
  const void* from = a->memory();
  Arg d = shop.made(a->type, a->length, a->bounds, maker);
  void* to = d->allocate();
  shop.run<&griddle_plugin::sort>(d->maker, plugin_type(a->type), from, to, nullptr, a->length, down);
  return d;
}

// Waits for the least and the greatest.
Bounds extremes(Workshop& shop, const Arg& a) {
  a->memory();
  return {folded(shop, griddle_fold_minimum, a, "Sort"), folded(shop, griddle_fold_maximum, a, "Sort"), a->bounds.integral};
}

// The places of one kind stand before those of the other, each in order.
static Arg graded_bits(Workshop& shop, const Arg& x, bool down, const char* maker) {
  const std::size_t n = x->length, ones = count_marks(shop, x, maker), zeros = n - ones;
  const void* bits = x->memory();
  Arg d = shop.made(ElementType::i32, n, {0, static_cast<double>(n - 1), true}, maker);
  auto* const to = static_cast<std::int32_t*>(d->allocate());
  shop.run<&griddle_plugin::select_if>(maker, sizeof *to, nullptr, bits, down ? to : to + zeros, down ? to + ones : to, n);
  return d;
}

Arg graded(Workshop& shop, const Arg& x, bool down) {
  if (x->length > most_places) throw DeviceDeclines();
  const char* maker = down ? "Grade Down" : "Grade Up";
  if (x->type == ElementType::bit) return graded_bits(shop, x, down, maker);
  Arg a = one_zero(shop, x);
  const void* from = a->memory();
  Arg d = shop.made(ElementType::i32, a->length, {0, static_cast<double>(a->length - 1), true}, maker);
  void* to = d->allocate();
  shop.run<&griddle_plugin::sort>(d->maker, plugin_type(a->type), from, nullptr, static_cast<std::int32_t*>(to), a->length, down);
  return d;
}

// Both zeros are one number: adding 0 leaves the positive one. What is no number becomes the one that comes last.
Arg one_zero(Workshop& shop, Arg a) {
  if (a->type != ElementType::f64) return a;
  const std::size_t n = a->length;
  return shop.linked({griddle_add, a, {}, 0, false, true}, {a->bounds.low, a->bounds.high, false}, n, a->maker);
}

// What is no number is in no order. Where bounds do not rule it out, looks.
void decline_unordered(Workshop& shop, const Arg& a) {
  if (a->type != ElementType::f64 || a->bounds.integral) return;
  const Arg odd = shop.linked({griddle_not_equal, a, a}, {0, 1, true}, a->length, "Search", true);
  if (folded(shop, griddle_fold_maximum, odd, "Search") != 0) throw DeviceDeclines();
}

Arg counted_up(Workshop& shop, std::size_t length) {
  Arg all = shop.made(ElementType::i32, length, {0, static_cast<double>(length - 1), true}, "Range");
  all->set_range();
  return all;
}

Arg scattered(Workshop& shop, const Arg& x, const Arg& at, const char* maker) {
  const void* from = x->memory();
  const void* index = at->memory();
  Arg d = shop.made(x->type, at->length, x->bounds, maker);
  void* to = d->allocate();
  shop.run<&griddle_plugin::scatter>(maker, bits_of(x->type) / 8, nullptr, from, static_cast<const std::int32_t*>(index), to,
                                     at->length, at->length, nullptr);
  return d;
}

// Compares with each of a few elements of the host, where that is one pass over narrow ones; null otherwise.
Arg members_of_few(Workshop& shop, const Value& w, const Value& x) {
  constexpr std::size_t most = 8, fewest_sought = 1 << 12;
  if (!w.is_array() || !x.is_array() || x.array().length == 0 || x.array().length > most || w.array().length < fewest_sought)
    return {};
  const Array& few = x.array();
  const Arg sought = shop.operand(w, false);
  if (!sought || bits_of(sought->type) > 16 || few.type() == ElementType::boxed || shop.resident(x)) return {};
  if (is_number(few.type()) != is_number(sought->type)) return {};
  Arg all;
  for (std::size_t i = 0; i < few.length; i++) {
    const Value e = element(few, i);
    const double code = e.is_number() ? e.number() : static_cast<double>(e.character());
    Link link{griddle_equal, sought, {}, code, false, true};
    link.constant_is_text = e.is_character();
    Arg one = shop.linked(std::move(link), {0, 1, true}, sought->length, "Member of", true);
    all = all ? shop.linked({griddle_maximum, one, all}, {0, 1, true}, sought->length, "Member of", true) : std::move(one);
  }
  return all;
}

Arg members(Workshop& shop, const Arg& w, const Arg& x) {
  const double n = static_cast<double>(x->length);
  const std::size_t count = w->length;
  return shop.linked({griddle_less, positions(shop, x, w), {}, n, false, true}, {0, 1, true}, count, "Member of", true);
}

// Puts both arguments into one type that is ordered by value.
static std::pair<Arg, Arg> comparable(Workshop& shop, const Arg& a, const Arg& b, const char* maker) {
  if (is_number(a->type) != is_number(b->type) || a->length > most_places) throw DeviceDeclines();
  decline_unordered(shop, a);
  decline_unordered(shop, b);
  const ElementType type = std::max(wider(a->type, b->type), is_number(a->type) ? ElementType::i8 : ElementType::c8);
  return {one_zero(shop, shop.in_type(a, type, maker)), one_zero(shop, shop.in_type(b, type, maker))};
}

static Arg bin_places(Workshop& shop, const Arg& sorted, const Arg& sought, bool after, const char* maker) {
  const void* list = sorted->memory();
  const void* keys = sought->memory();
  Arg at = shop.made(ElementType::i32, sought->length, {0, static_cast<double>(sorted->length), true}, maker);
  void* to = at->allocate();
  shop.run<&griddle_plugin::bins>(maker, plugin_type(sorted->type), list, sorted->length, 1, keys, static_cast<std::int32_t*>(to),
                                  sought->length, after, false);
  return at;
}

// Gives n + found × (place − n).
static Arg found_or_length(Workshop& shop, const Arg& found, const Arg& place, double n, const char* maker) {
  const std::size_t count = place->length;
  const Arg difference = shop.linked({griddle_subtract, place, {}, n, false, true}, {-n, 0, true}, count, maker);
  const Arg where = shop.linked({griddle_multiply, found, difference}, {-n, 0, true}, count, maker);
  return shop.linked({griddle_add, where, {}, n, false, true}, {0, n, true}, count, maker);
}

// Gives for each sought element the first place among the others where it is, or their number.
Arg positions(Workshop& shop, const Arg& among, const Arg& sought) {
  if (is_number(among->type) != is_number(sought->type) || among->length > most_places) throw DeviceDeclines();
  const std::size_t length = among->length;
  const double n = static_cast<double>(length);
  if (Arg list = shop.without_bits(among);
      const auto values = values_of(among->bounds, list->type, std::max(length, sought->length)))
    return looked_up(shop, shop.without_bits(sought), first_places(shop, list, *values), *values, length);
  const auto [list, keys] = comparable(shop, among, sought, "Index of");
  list->memory();
  Arg order = graded(shop, list, false);
  Arg ascending = gathered(shop, list, order, length, 1, "Index of");
  Arg at = bin_places(shop, ascending, keys, false, "Index of");
  const std::size_t count = keys->length;
  Arg within = shop.linked({griddle_minimum, at, {}, n - 1, false, true}, {0, n - 1, true}, count, "Index of");
  within->memory();
  Arg found = shop.linked({griddle_equal, gathered(shop, ascending, within, length, 1, "Index of"), keys}, {0, 1, true}, count,
                          "Index of", true);
  return found_or_length(shop, found, gathered(shop, order, within, length, 1, "Index of"), n, "Index of");
}

// As positions, but each place is found once: the k-th of equal sought elements finds the k-th of those that equal it.
Arg progressive_positions(Workshop& shop, const Arg& among, const Arg& sought) {
  constexpr const char* maker = "Progressive Index of";
  const auto [list, keys] = comparable(shop, among, sought, maker);
  if (keys->length > most_places) throw DeviceDeclines();
  const std::size_t length = list->length, count = keys->length;
  const double n = static_cast<double>(length), m = static_cast<double>(count);
  list->memory();
  keys->memory();
  const Arg order = graded(shop, list, false), ascending = gathered(shop, list, order, length, 1, maker);
  const Arg earlier = occurrences(shop, keys);
  const Arg at =
      shop.linked({griddle_add, bin_places(shop, ascending, keys, false, maker), earlier}, {0, n + m, true}, count, maker);
  at->memory();
  const Arg found =
      shop.linked({griddle_less, at, bin_places(shop, ascending, keys, true, maker)}, {0, 1, true}, count, maker, true);
  const Arg within = shop.linked({griddle_minimum, at, {}, n - 1, false, true}, {0, n - 1, true}, count, maker);
  return found_or_length(shop, found, gathered(shop, order, within, length, 1, maker), n, maker);
}

// Marks where an array begins in another one, whose last axes it lies along.
// Looks for one number or character in one pass: where it is, places count down from the length.
Value found_atom(Workshop& shop, Glyph glyph, const Value& list, const Value& sought) {
  constexpr const char* maker = "Search";
  const double code = sought.is_number() ? sought.number() : sought.is_character() ? static_cast<double>(sought.character()) : 0;
  const bool finds_bins = entry_of(glyph).two.orders == Orders::finds_bins;
  if (finds_bins || rank_of(list) != 1 || !(sought.is_number() || sought.is_character()) || code != code) return Value();
  const Arg among = shop.operand(list);
  if (!among || among->length > most_places) return Value();
  const std::size_t n = among->length;
  std::size_t place = n;
  if (is_character(among->type) == sought.is_character()) {
    Link equals{griddle_equal, among, {}, code, false, true, sought.is_character()};
    place = first_marked(shop, shop.linked(std::move(equals), {0, 1, true}, n, maker, true), maker);
  }
  return enclose(shop.cx().heap, Value(static_cast<double>(glyph == Glyph::member ? place < n : place)));
}

// Marks where a short list is part of another: x, shifted by each place of the short one, equals its element there.
static Arg found_by_chain(Workshop& shop, const Array& sought, const Arg& x) {
  constexpr const char* maker = "Find";
  const Bounds truth{0, 1, true};
  Arg all;
  for (std::size_t k = 0; k < sought.length; k++) {
    Arg beside = x;
    if (k > 0) {
      beside = shop.made(x->type, x->length, covering(x->bounds, {0, 0, true}), maker);
      beside->set_displaced(x, {1, 0, static_cast<std::int64_t>(k), 0});
    }
    const bool text = !is_number(x->type);
    const double element = text ? static_cast<double>(character_at(sought, k)) : number_at(sought, k);
    const Arg same = shop.linked({griddle_equal, beside, {}, element, false, true, text}, truth, x->length, maker, true);
    all = all ? shop.linked({griddle_multiply, all, same}, truth, x->length, maker, true) : same;
  }
  return all;
}

Value found(Workshop& shop, const Value& sought, const Value& among, bool send) {
  constexpr const char* maker = "Find";
  // Short lists go into chains. Where all of a long pattern may have to be compared at each of very many places, the host has a
  // better way.
  constexpr std::size_t short_list = 4;
  constexpr double most_comparisons = 0x1p40;
  const Array& w = sought.array();
  const std::size_t rank = w.rank(), whole_rank = rank_of(among);
  if (rank == 0 || rank > whole_rank || whole_rank > griddle_most_axes) return Value();
  if (w.length == 0 || w.type() == ElementType::boxed) return Value();
  griddle_find f{};
  f.axis_count = static_cast<std::uint32_t>(whole_rank);
  Shape shape(shape_of(among));
  std::size_t step = 1;
  for (std::size_t axis = whole_rank; axis-- > 0;) {
    const std::size_t across = axis + rank < whole_rank ? 1 : w.shape()[axis + rank - whole_rank];
    if (across > shape[axis]) return Value();
    f.pattern[axis] = {across, static_cast<std::int64_t>(step), 0, 0};
    step *= shape[axis];
    shape[axis] += 1 - across;
    f.places[axis] = {shape[axis], f.pattern[axis].step, 0, 0};
  }
  Arg text = shop.operand(among, send);
  if (!text || is_number(w.type()) != is_number(text->type)) return Value();
  const std::size_t places = griddle::product(shape);
  if (whole_rank == 1 && w.length <= short_list) return shop.wrap(first_of(shop, found_by_chain(shop, w, text), places), shape);
  Arg pattern = shop.operand(sought, true);
  if (!pattern || static_cast<double>(places) * static_cast<double>(w.length) > most_comparisons) return Value();
  std::tie(pattern, text) = comparable(shop, pattern, text, maker);
  const void* wanted = pattern->memory();
  const void* from = text->memory();
  f.type = plugin_type(text->type);
  Arg d = shop.made(ElementType::bit, places, {0, 1, true}, maker);
  void* to = d->allocate();
  shop.run<&griddle_plugin::find>(maker, &f, from, wanted, to);
  return shop.wrap(std::move(d), shape);
}

// Counts the cells of a sorted array that are not above (going down: not below) each of others.
Arg bins(Workshop& shop, const Arg& w, const Arg& x, std::size_t cells, bool down) {
  const char* maker = down ? "Bins Down" : "Bins Up";
  const auto [list, keys] = comparable(shop, w, x, maker);
  const void* sorted = list->memory();
  const void* sought = keys->memory();
  const std::size_t cell = list->length / cells, count = keys->length / cell;
  const griddle_device_type type = plugin_type(list->type);
  int ordered = 0;
  shop.waits();
  shop.run<&griddle_plugin::in_order>(maker, type, sorted, cells, cell, down, &ordered);
  if (!ordered) throw DeviceDeclines();
  Arg at = shop.made(ElementType::i32, count, {0, static_cast<double>(cells), true}, maker);
  auto* to = static_cast<std::int32_t*>(at->allocate());
  shop.run<&griddle_plugin::bins>(maker, type, sorted, cells, cell, sought, to, count, true, down);
  return at;
}

}  // namespace griddle::gpu
