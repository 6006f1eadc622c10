// Equal elements on the device: those of few values by a table of their first places, others by sorting or by buckets.
#include "gpu/offload.h"

namespace griddle {

namespace {

// Tables have at most this many places, and not many more than there are elements.
constexpr double most_values = 1 << 24, few_values = 1 << 17;
// Where the other kind of bits is looked for first.
constexpr std::size_t first_ones = 1 << 18;

}  // namespace

// The values that elements may have, where a table of them is worth it.
std::optional<Offload::Values> Offload::values_of(const Bounds& b, ElementType type, std::size_t length) const {
  const double count = b.high - b.low + 1;
  if (!b.integral || type == ElementType::f64 || count > most_values) return std::nullopt;
  if (count > few_values && count > 4 * static_cast<double>(length)) return std::nullopt;
  return Values{static_cast<std::int64_t>(b.low), static_cast<std::uint64_t>(count)};
}

Offload::Arg Offload::first_places(const Arg& x, const Values& values) {
  const void* from = x->memory();
  Arg table = made(ElementType::i32, values.count, {0, static_cast<double>(x->length), true}, "Search");
  void* to = table->allocate();
  state_->check(state_->plugin().first_places(state_->device(), plugin_type(x->type), from, x->length, values.low, values.count,
                                              static_cast<std::int32_t*>(to)),
                table->maker);
  return table;
}

Offload::Arg Offload::looked_up(const Arg& sought, const Arg& table, const Values& values, std::size_t absent) {
  const void* from = sought->memory();
  const void* places = table->memory();
  Arg d = made(ElementType::i32, sought->length, {0, static_cast<double>(absent), true}, "Search");
  void* to = d->allocate();
  state_->check(state_->plugin().look_up(state_->device(), plugin_type(sought->type), from, sought->length, values.low,
                                         values.count, static_cast<const std::int32_t*>(places),
                                         static_cast<std::int32_t>(absent), static_cast<std::int32_t*>(to)),
                d->maker);
  return d;
}

// Sorts, and tells for each sorted element which run of equal ones it belongs to.
Offload::Runs Offload::runs_of(const Arg& x) {
  decline_unordered(x);
  const std::size_t n = x->length;
  Runs runs;
  Arg a = one_zero(x);
  a->memory();
  runs.order = graded(a, false);
  Arg ascending = gathered(a, runs.order, n, 1, "Search");
  if (n == 1) {
    runs.starts = counted_up(1);
    runs.number = counted_up(1);
    return runs;
  }
  Arg before = put_together({{ascending, 0, 1}, {ascending, 0, n - 1}}, "Search");
  Arg heads = linked({griddle_not_equal, before, ascending}, {0, 1, true}, n, "Search", true);
  Arg numbers = made(ElementType::i32, n, {0, static_cast<double>(n - 1), true}, "Search");
  const void* bits = heads->memory();
  void* to = numbers->allocate();
  state_->check(state_->plugin().scan(state_->device(), griddle_fold_add, griddle_device_bit, griddle_device_i32, bits, to, 1, n),
                numbers->maker);
  runs.number = numbers;
  // The first head is no boundary.
  Arg first = made(ElementType::bit, n, {0, 1, true}, "Search");
  first->set_link({griddle_equal, counted_up(n), {}, 0, false, true});
  Arg all_heads = linked({griddle_maximum, heads, first}, {0, 1, true}, n, "Search", true);
  runs.starts = kept(all_heads, counted_up(n));
  return runs;
}

// Gives for each element the first place of one that equals it.
Offload::Arg Offload::first_equals(const Arg& x) {
  if (x->length > most_places) throw DeviceDeclines();
  Arg a = without_bits(x);
  if (const auto values = values_of(x->bounds, a->type, x->length))
    return looked_up(a, first_places(a, *values), *values, x->length);
  const Bounds places{0, static_cast<double>(x->length - 1), true};
  Arg order = made(ElementType::i32, x->length, places, "Search"), firsts = made(ElementType::i32, x->length, places, "Search");
  find_first_equals(a, nullptr, order->allocate(), firsts->allocate());
  return scattered(firsts, order, "Search");
}

// Waits for the first place that is marked; the length where there is none.
std::size_t Offload::first_marked(const Arg& marks, const char* maker) {
  const std::size_t n = marks->length;
  const double length = static_cast<double>(n);
  const Bounds within{0, length - 1, true};
  Arg places = made(type_for(within), n, within, maker);
  places->set_range();
  const Arg left = linked({griddle_subtract, {}, std::move(places), length, true}, {1, length, true}, n, maker);
  const Arg last = linked({griddle_multiply, marks, left}, {0, length, true}, n, maker);
  return static_cast<std::size_t>(length - folded(griddle_fold_maximum, last, maker));
}

// Waits for the first place of bits where the other kind is; mostly near the start.
std::size_t Offload::first_of_other_kind(const Arg& bits, const char* maker) {
  const double first = one_element(*bits, 0);
  const auto place_among = [&](const Arg& some) {
    return first_marked(linked({griddle_not_equal, some, {}, first, false, true}, {0, 1, true}, some->length, maker, true),
                        maker);
  };
  if (bits->length > first_ones)
    if (const std::size_t place = place_among(first_of(bits, first_ones)); place < first_ones) return place;
  return place_among(bits);
}

// Marks places, none of them twice.
Offload::Arg Offload::marks_at(const Arg& places, std::size_t length, const char* maker) {
  const std::size_t count = places->length;
  const double last = static_cast<double>(count);
  const Arg ends = linked({griddle_add, counted_up(count), {}, 1, false, true}, {1, last, true}, count, maker);
  const Arg each = in_type(ends, ElementType::i32, maker);
  const void *const end = each->memory(), *const at = places->memory();
  Arg marks = filled(ElementType::bit, Value(0.0), length, maker);
  const griddle_intervals single{count, count, griddle_device_i32, griddle_device_i32, end, nullptr, at};
  state_->check(state_->plugin().move_intervals(state_->device(), &single, 1, nullptr, marks->memory()), maker);
  marks->bounds = {0, 1, true};
  return marks;
}

// Marks the first of either kind.
Offload::Arg Offload::marked_firsts_of_bits(const Arg& x, const char* maker) {
  const Arg one = filled(ElementType::bit, Value(1.0), 1, maker);
  const void* const from = one->memory();
  const Arg marks = filled(ElementType::bit, Value(0.0), x->length, maker);
  for (const std::size_t place : {std::size_t{0}, first_of_other_kind(x, maker)})
    if (place < x->length)
      state_->check(state_->plugin().move(state_->device(), 1, from, 0, 1, marks->memory(), static_cast<std::int64_t>(place), 1),
                    maker);
  marks->bounds = {0, 1, true};
  return marks;
}

Offload::Arg Offload::marked_firsts(const Arg& x) {
  constexpr const char* maker = "Mark Firsts";
  const std::size_t n = x->length;
  if (x->type == ElementType::bit && n <= most_places) return marked_firsts_of_bits(x, maker);
  if (const auto values = few_values_of(x)) return marks_at(places_in(first_places(x, *values), n, maker), n, maker);
  const Arg a = without_bits(x);
  if (values_of(x->bounds, a->type, n))
    return linked({griddle_equal, first_equals(x), counted_up(n)}, {0, 1, true}, n, maker, true);
  if (n > most_places) throw DeviceDeclines();
  Arg marks = made(ElementType::bit, n, {0, 1, true}, maker);
  find_first_equals(a, marks->allocate(), nullptr, nullptr);
  return marks;
}

// As the plug-in's first_equals.
void Offload::find_first_equals(const Arg& x, void* marks, void* places, void* firsts) {
  decline_unordered(x);
  const Arg a = one_zero(x);
  const void* from = a->memory();
  state_->check(state_->plugin().first_equals(state_->device(), bits_of(a->type) / 8, from, marks,
                                              static_cast<std::int32_t*>(places), static_cast<std::int32_t*>(firsts), a->length),
                "Search");
}

// The values of elements that are few beside them: what each value has is then less to go through than what each element has.
std::optional<Offload::Values> Offload::few_values_of(const Arg& x) const {
  constexpr std::size_t elements_of_value = 8;
  const auto values = values_of(x->bounds, x->type, x->length);
  return values && x->length <= most_places && values->count <= x->length / elements_of_value ? values : std::nullopt;
}

// The first places of all values that there are, by value.
Offload::Arg Offload::places_in(const Arg& table, std::size_t length, const char* maker) {
  const double none = static_cast<double>(length);
  return kept(linked({griddle_less, table, {}, none, false, true}, {0, 1, true}, table->length, maker, true), table);
}

Value Offload::deduplicated(const Arg& x) {
  constexpr const char* maker = "Deduplicate";
  const std::size_t n = x->length;
  if (n == 1) return Value();
  const auto values = x->type == ElementType::bit ? std::nullopt : few_values_of(x);
  if (!values) return wrap_list(kept(marked_firsts(x), x));
  return wrap_list(gathered(x, sorted(places_in(first_places(x, *values), n, maker), false), n, 1, maker));
}

Offload::Arg Offload::classified(const Arg& x) {
  constexpr const char* maker = "Classify";
  const std::size_t n = x->length;
  // Of two kinds the first is 0.
  if (x->type == ElementType::bit) {
    const double first = one_element(*x, 0);
    return first == 0 ? x : linked({griddle_not_equal, x, {}, first, false, true}, {0, 1, true}, n, maker, true);
  }
  if (const auto values = few_values_of(x)) {
    // Values by their first places: those that there are come first.
    const Arg order = graded(first_places(x, *values), false);
    order->memory();
    return looked_up(x, scattered(counted_up(values->count), order, maker), *values, values->count);
  }
  Arg places = first_equals(x);
  places->memory();
  Arg firsts = linked({griddle_equal, places, counted_up(n)}, {0, 1, true}, n, maker, true);
  const void* bits = firsts->memory();
  Arg through = made(ElementType::i32, n, {1, static_cast<double>(n), true}, maker);
  void* to = through->allocate();
  state_->check(state_->plugin().scan(state_->device(), griddle_fold_add, griddle_device_bit, griddle_device_i32, bits, to, 1, n),
                through->maker);
  Arg classes = gathered(through, places, n, 1, maker);
  return linked({griddle_subtract, classes, {}, 1, false, true}, {0, static_cast<double>(n - 1), true}, n, maker);
}

Offload::Arg Offload::occurrences(const Arg& x) {
  const std::size_t n = x->length;
  const Runs runs = runs_of(without_bits(x));
  Arg starts = gathered(runs.starts, runs.number, runs.starts->length, 1, "Occurrence Count");
  Arg counts = made(ElementType::i32, n, {0, static_cast<double>(n - 1), true}, "Occurrence Count");
  counts->set_link({griddle_subtract, counted_up(n), starts});
  return scattered(counts, runs.order, "Occurrence Count");
}

}  // namespace griddle
