// Equal elements on the device: those of few values by a table of their first places, others by sorting or by buckets.
#include "gpu/parts.h"

namespace griddle::gpu {

namespace {

// Tables have at most this many places, and not many more than there are elements.
constexpr double most_values = 1 << 24, few_values = 1 << 17;
// Elements in order: their places, where runs of equal ones start, and the run of each.
struct EqualRuns {
  Arg order, starts, number;
};
// Where the other kind of bits is looked for first.
constexpr std::size_t first_ones = 1 << 18;

}  // namespace

// The values that elements may have, where a table of them is worth it.
std::optional<Values> values_of(const Bounds& b, ElementType type, std::size_t length) {
  const double count = b.high - b.low + 1;
  if (!b.integral || type == ElementType::f64 || count > most_values) return std::nullopt;
  if (count > few_values && count > 4 * static_cast<double>(length)) return std::nullopt;
  return Values{static_cast<std::int64_t>(b.low), static_cast<std::uint64_t>(count)};
}

Arg first_places(Workshop& shop, const Arg& x, const Values& values) {
  const void* from = x->memory();
  Arg table = shop.made(ElementType::i32, values.count, {0, static_cast<double>(x->length), true}, "Search");
  void* to = table->allocate();
  shop.run<&griddle_plugin::first_places>(table->maker, plugin_type(x->type), from, x->length, values.low, values.count,
                                          static_cast<std::int32_t*>(to));
  return table;
}

Arg looked_up(Workshop& shop, const Arg& sought, const Arg& table, const Values& values, std::size_t absent) {
  const void* from = sought->memory();
  const void* places = table->memory();
  Arg d = shop.made(ElementType::i32, sought->length, {0, static_cast<double>(absent), true}, "Search");
  void* to = d->allocate();
  shop.run<&griddle_plugin::look_up>(d->maker, plugin_type(sought->type), from, sought->length, values.low, values.count,
                                     static_cast<const std::int32_t*>(places), static_cast<std::int32_t>(absent),
                                     static_cast<std::int32_t*>(to));
  return d;
}

// Sorts, and tells for each sorted element which run of equal ones it belongs to.
static EqualRuns runs_of(Workshop& shop, const Arg& x) {
  decline_unordered(shop, x);
  const std::size_t n = x->length;
  EqualRuns runs;
  Arg a = one_zero(shop, x);
  a->memory();
  runs.order = graded(shop, a, false);
  Arg ascending = gathered(shop, a, runs.order, n, 1, "Search");
  if (n == 1) {
    runs.starts = counted_up(shop, 1);
    runs.number = counted_up(shop, 1);
    return runs;
  }
  Arg before = put_together(shop, {{ascending, 0, 1}, {ascending, 0, n - 1}}, "Search");
  Arg heads = shop.linked({griddle_not_equal, before, ascending}, {0, 1, true}, n, "Search", true);
  Arg numbers = shop.made(ElementType::i32, n, {0, static_cast<double>(n - 1), true}, "Search");
  const void* bits = heads->memory();
  void* to = numbers->allocate();
  shop.run<&griddle_plugin::scan>(numbers->maker, griddle_fold_add, griddle_device_bit, griddle_device_i32, bits, to, 1, n);
  runs.number = numbers;
  // The first head is no boundary.
  Arg first = shop.made(ElementType::bit, n, {0, 1, true}, "Search");
  first->set_link({griddle_equal, counted_up(shop, n), {}, 0, false, true});
  Arg all_heads = shop.linked({griddle_maximum, heads, first}, {0, 1, true}, n, "Search", true);
  runs.starts = kept(shop, all_heads, counted_up(shop, n));
  return runs;
}

// As the plug-in's first_equals.
static void find_first_equals(Workshop& shop, const Arg& x, void* marks, void* places, void* firsts) {
  decline_unordered(shop, x);
  const Arg a = one_zero(shop, x);
  const void* from = a->memory();
  shop.run<&griddle_plugin::first_equals>("Search", bits_of(a->type) / 8, from, marks, static_cast<std::int32_t*>(places),
                                          static_cast<std::int32_t*>(firsts), a->length);
}

// Gives for each element the first place of one that equals it.
Arg first_equals(Workshop& shop, const Arg& x) {
  if (x->length > most_places) throw DeviceDeclines();
  Arg a = shop.without_bits(x);
  if (const auto values = values_of(x->bounds, a->type, x->length))
    return looked_up(shop, a, first_places(shop, a, *values), *values, x->length);
  const Bounds places{0, static_cast<double>(x->length - 1), true};
  Arg order = shop.made(ElementType::i32, x->length, places, "Search"),
      firsts = shop.made(ElementType::i32, x->length, places, "Search");
  find_first_equals(shop, a, nullptr, order->allocate(), firsts->allocate());
  return scattered(shop, firsts, order, "Search");
}

// Waits for the first place that is marked; the length where there is none.
std::size_t first_marked(Workshop& shop, const Arg& marks, const char* maker) {
  const std::size_t n = marks->length;
  const double length = static_cast<double>(n);
  const Bounds within{0, length - 1, true};
  Arg places = shop.made(type_for(within), n, within, maker);
  places->set_range();
  const Arg left = shop.linked({griddle_subtract, {}, std::move(places), length, true}, {1, length, true}, n, maker);
  const Arg last = shop.linked({griddle_multiply, marks, left}, {0, length, true}, n, maker);
  return static_cast<std::size_t>(length - folded(shop, griddle_fold_maximum, last, maker));
}

// Waits for the first place of bits where the other kind is; mostly near the start.
static std::size_t first_of_other_kind(Workshop& shop, const Arg& bits, const char* maker) {
  const double first = shop.one_element(*bits, 0);
  const auto place_among = [&](const Arg& some) {
    return first_marked(
        shop, shop.linked({griddle_not_equal, some, {}, first, false, true}, {0, 1, true}, some->length, maker, true), maker);
  };
  if (bits->length > first_ones)
    if (const std::size_t place = place_among(first_of(shop, bits, first_ones)); place < first_ones) return place;
  return place_among(bits);
}

// Marks places, none of them twice.
static Arg marks_at(Workshop& shop, const Arg& places, std::size_t length, const char* maker) {
  const std::size_t count = places->length;
  const double last = static_cast<double>(count);
  const Arg ends = shop.linked({griddle_add, counted_up(shop, count), {}, 1, false, true}, {1, last, true}, count, maker);
  const Arg each = shop.in_type(ends, ElementType::i32, maker);
  const void *const end = each->memory(), *const at = places->memory();
  Arg marks = filled(shop, ElementType::bit, Value(0.0), length, maker);
  const griddle_intervals single{count, count, griddle_device_i32, griddle_device_i32, end, nullptr, at};
  shop.run<&griddle_plugin::move_intervals>(maker, &single, 1, nullptr, marks->memory());
  marks->bounds = {0, 1, true};
  return marks;
}

// Marks the first of either kind.
static Arg marked_firsts_of_bits(Workshop& shop, const Arg& x, const char* maker) {
  const Arg one = filled(shop, ElementType::bit, Value(1.0), 1, maker);
  const void* const from = one->memory();
  const Arg marks = filled(shop, ElementType::bit, Value(0.0), x->length, maker);
  for (const std::size_t place : {std::size_t{0}, first_of_other_kind(shop, x, maker)})
    if (place < x->length)
      shop.run<&griddle_plugin::move>(maker, 1, from, 0, 1, marks->memory(), static_cast<std::int64_t>(place), 1);
  marks->bounds = {0, 1, true};
  return marks;
}

// The values of elements that are few beside them: what each value has is then less to go through than what each element has.
static std::optional<Values> few_values_of(const Arg& x) {
  constexpr std::size_t elements_of_value = 8;
  const auto values = values_of(x->bounds, x->type, x->length);
  return values && x->length <= most_places && values->count <= x->length / elements_of_value ? values : std::nullopt;
}

// The first places of all values that there are, by value.
static Arg places_in(Workshop& shop, const Arg& table, std::size_t length, const char* maker) {
  const double none = static_cast<double>(length);
  return kept(shop, shop.linked({griddle_less, table, {}, none, false, true}, {0, 1, true}, table->length, maker, true), table);
}

Arg marked_firsts(Workshop& shop, const Arg& x) {
  constexpr const char* maker = "Mark Firsts";
  const std::size_t n = x->length;
  if (x->type == ElementType::bit && n <= most_places) return marked_firsts_of_bits(shop, x, maker);
  if (const auto values = few_values_of(x))
    return marks_at(shop, places_in(shop, first_places(shop, x, *values), n, maker), n, maker);
  const Arg a = shop.without_bits(x);
  if (values_of(x->bounds, a->type, n))
    return shop.linked({griddle_equal, first_equals(shop, x), counted_up(shop, n)}, {0, 1, true}, n, maker, true);
  if (n > most_places) throw DeviceDeclines();
  Arg marks = shop.made(ElementType::bit, n, {0, 1, true}, maker);
  find_first_equals(shop, a, marks->allocate(), nullptr, nullptr);
  return marks;
}

Value deduplicated(Workshop& shop, const Arg& x, Lengths) {
  constexpr const char* maker = "Deduplicate";
  const std::size_t n = x->length;
  if (n == 1) return Value();
  const auto values = x->type == ElementType::bit ? std::nullopt : few_values_of(x);
  if (!values) return shop.wrap_list(kept(shop, marked_firsts(shop, x), x));
  return shop.wrap_list(
      gathered(shop, x, sorted(shop, places_in(shop, first_places(shop, x, *values), n, maker), false), n, 1, maker));
}

Arg classified(Workshop& shop, const Arg& x) {
  constexpr const char* maker = "Classify";
  const std::size_t n = x->length;
  // Of two kinds the first is 0.
  if (x->type == ElementType::bit) {
    const double first = shop.one_element(*x, 0);
    return first == 0 ? x : shop.linked({griddle_not_equal, x, {}, first, false, true}, {0, 1, true}, n, maker, true);
  }
  if (const auto values = few_values_of(x)) {
    // Values by their first places: those that there are come first.
    const Arg order = graded(shop, first_places(shop, x, *values), false);
    order->memory();
    return looked_up(shop, x, scattered(shop, counted_up(shop, values->count), order, maker), *values, values->count);
  }
  Arg places = first_equals(shop, x);
  places->memory();
  Arg firsts = shop.linked({griddle_equal, places, counted_up(shop, n)}, {0, 1, true}, n, maker, true);
  const void* bits = firsts->memory();
  Arg through = shop.made(ElementType::i32, n, {1, static_cast<double>(n), true}, maker);
  void* to = through->allocate();
  shop.run<&griddle_plugin::scan>(through->maker, griddle_fold_add, griddle_device_bit, griddle_device_i32, bits, to, 1, n);
  Arg classes = gathered(shop, through, places, n, 1, maker);
  return shop.linked({griddle_subtract, classes, {}, 1, false, true}, {0, static_cast<double>(n - 1), true}, n, maker);
}

Arg occurrences(Workshop& shop, const Arg& x) {
  const std::size_t n = x->length;
  const EqualRuns runs = runs_of(shop, shop.without_bits(x));
  Arg starts = gathered(shop, runs.starts, runs.number, runs.starts->length, 1, "Occurrence Count");
  Arg counts = shop.made(ElementType::i32, n, {0, static_cast<double>(n - 1), true}, "Occurrence Count");
  counts->set_link({griddle_subtract, counted_up(shop, n), starts});
  return scattered(shop, counts, runs.order, "Occurrence Count");
}

}  // namespace griddle::gpu
