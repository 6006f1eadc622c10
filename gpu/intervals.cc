// Intervals on the device: Replicate and Indices by counts, and moves of intervals.
#include <algorithm>

#include "gpu/offload.h"

namespace griddle::gpu {

namespace {

// Where intervals end, one behind the other.
struct Ends {
  Arg sums;      // i32, or doubles where they may be more
  double total;  // not 0
};

}  // namespace

static void decline_negative(Workshop& shop, const Arg& counts, const char* maker) {
  if (counts->bounds.low < 0 && folded(shop, griddle_fold_minimum, counts, maker) < 0) throw DeviceDeclines();
}

// Gives how much counts amount to, given sums up to each; declines where no array has that many elements.
static double last_sum(Workshop& shop, DeviceArray& sums) {
  const double total = shop.one_element(sums, sums.length - 1);
  if (total < 1 || total > most_elements) throw DeviceDeclines();
  return total;
}

// Gives where intervals end, one behind the other. Declines where counts are no natural numbers, or all 0: the host makes empty
// arrays.
static Ends ends_of(Workshop& shop, const Arg& given, const char* maker, double total = 0) {
  const Arg counts = given->bounds.integral ? given : integers(shop, given, maker);
  if (!counts) throw DeviceDeclines();
  decline_negative(shop, counts, maker);
  const Arg c = shop.without_bits(counts);
  const double most = total != 0 ? total : c->bounds.high * static_cast<double>(c->length);
  const bool narrow = c->type != ElementType::f64 && most <= static_cast<double>(most_places);
  const void* from = c->memory();
  const Arg sums = shop.made(narrow ? ElementType::i32 : ElementType::f64, c->length, {0, most, true}, maker);
  void* to = sums->allocate();
  shop.run<&griddle_plugin::scan>(maker, griddle_fold_add, plugin_type(c->type), plugin_type(sums->type), from, to, 1, c->length);
  return {sums, total != 0 ? total : last_sum(shop, *sums)};
}

static griddle_intervals intervals_of(const Ends& ends) {
  return {ends.sums->length,
          static_cast<std::uint64_t>(ends.total),
          plugin_type(ends.sums->type),
          griddle_device_i32,
          ends.sums->memory(),
          nullptr,
          nullptr};
}

// Repeats elements, or their places where there are none, by counts, whose sum is given where it is known. Counts of 8 bits need
// no sum of each: those of groups do.
static Arg expanded(Workshop& shop, const Arg& given, const Arg& values, double total, const char* name) {
  const ElementType type = values ? values->type : ElementType::i32;
  const Bounds bounds = values ? values->bounds : Bounds{0, static_cast<double>(given->length - 1), true};
  const void* const elements = values ? values->memory() : nullptr;
  const auto result = [&](double length) { return shop.made(type, static_cast<std::size_t>(length), bounds, name); };
  if (given->type != ElementType::i8) {
    const Ends ends = ends_of(shop, given, name, total);
    const griddle_intervals intervals = intervals_of(ends);
    Arg d = result(ends.total);
    void* const to = d->allocate();
    shop.run<&griddle_plugin::expand>(name, &intervals, bits_of(type) / 8, elements, to);
    return d;
  }
  decline_negative(shop, given, name);
  const auto* const counts = static_cast<const std::int8_t*>(given->memory());
  const std::size_t groups = (given->length + griddle_count_group - 1) / griddle_count_group;
  const Arg sums = shop.made(ElementType::f64, groups, unbounded, name);
  auto* const ends = static_cast<double*>(sums->allocate());
  shop.run<&griddle_plugin::sum_counts>(name, counts, given->length, ends);
  Arg d = result(total != 0 ? total : last_sum(shop, *sums));
  void* const to = d->allocate();
  shop.run<&griddle_plugin::expand_counts>(name, counts, given->length, ends, bits_of(type) / 8, elements, to);
  return d;
}

// Throws DeviceDeclines where there are none: the host makes empty arrays.
Arg indices(Workshop& shop, const Arg& x) {
  constexpr const char* name = "Indices";
  if (x->length > most_places) throw DeviceDeclines();
  return x->type == ElementType::bit ? kept_if_any(shop, x, counted_up(shop, x->length)) : expanded(shop, x, {}, 0, name);
}

// Repeats by natural numbers, whose sum is given where it is known.
Arg repeated(Workshop& shop, const Arg& counts, const Arg& x, double total) {
  return expanded(shop, counts, shop.without_bits(x), total, "Replicate");
}

// Joins lists, of which at least one is there: gathered from where they lie, whichever memory that is.
// Puts all elements of several arrays one after the other.
static Arg one_after_another(Workshop& shop, std::vector<Arg> lists, const char* name) {
  constexpr std::size_t few = 4;
  if (lists.size() <= few) {
    std::vector<Piece> pieces;
    for (const Arg& a : lists) pieces.push_back({a, 0, a->length});
    return put_together(shop, std::move(pieces), name);
  }
  ElementType type = lists[0]->type;
  Bounds bounds = lists[0]->bounds;
  for (const Arg& a : lists) {
    type = wider(type, a->type);
    bounds = covering(bounds, a->bounds);
  }
  const unsigned width = bits_of(type);
  std::vector<double> ends, places;
  double total = 0;
  for (Arg& a : lists) {
    a = shop.in_type(a, type, name);
    const auto address = static_cast<double>(reinterpret_cast<std::uintptr_t>(a->memory()));
    ends.push_back(total += static_cast<double>(a->length));
    places.push_back(width == 1 ? address * 8 : address / (width / 8));
  }
  const Arg sent[] = {shop.made(ElementType::f64, ends.size(), unbounded, name),
                      shop.made(ElementType::f64, ends.size(), unbounded, name)};
  void* const there[] = {sent[0]->allocate(), sent[1]->allocate()};
  shop.run<&griddle_plugin::upload>(name, there[0], ends.data(), ends.size() * sizeof(double));
  shop.run<&griddle_plugin::upload>(name, there[1], places.data(), places.size() * sizeof(double));
  Arg d = shop.made(type, static_cast<std::size_t>(total), bounds, name);
  void* const to = d->allocate();
  const griddle_intervals intervals{ends.size(), d->length, griddle_device_f64, griddle_device_f64, there[0], there[1], nullptr};
  shop.run<&griddle_plugin::move_intervals>(name, &intervals, width, nullptr, to);
  return d;
}

Value joined_lists(Workshop& shop, const Value& x) {
  std::vector<Arg> lists;
  std::vector<FillKind> empty_fills;
  for (const Value& v : x.array().boxes()) {
    if (!v.is_array() || v.array().rank() != 1) return Value();
    if (v.array().length == 0) {
      empty_fills.push_back(v.array().fill_kind());
      if (lists.empty() && empty_fills.back() == FillKind::none) return Value();
      continue;
    }
    lists.push_back(shop.operand(v, true));
    if (!lists.back() || is_number(lists.back()->type) != is_number(lists[0]->type)) return Value();
  }
  if (lists.empty()) return Value();
  // What is empty leaves the fill as it is, unless it has another one, or comes first and has none.
  const FillKind fill = is_character(lists[0]->type) ? FillKind::space : FillKind::zero;
  for (FillKind empty : empty_fills)
    if (empty != FillKind::none && empty != fill) return Value();
  return shop.wrap_list(one_after_another(shop, std::move(lists), "Join"));
}

Value merged(Workshop& shop, const Value& x) {
  if (!x.is_array() || x.array().length == 0) return Value();
  if (x.array().type() != ElementType::boxed) return x;
  const std::span<const Value> elements = x.array().boxes();
  const Lengths cell = griddle::shape_of(elements[0]);
  std::vector<Arg> all;
  for (const Value& v : elements) {
    if (!v.is_array() || v.array().length == 0 || !same_shape(griddle::shape_of(v), cell)) return Value();
    all.push_back(shop.operand(v, true));
    if (!all.back() || is_number(all.back()->type) != is_number(all[0]->type)) return Value();
  }
  Shape shape(x.array().shape());
  shape.append(cell);
  return shape.size() > max_rank ? Value() : shop.wrap(one_after_another(shop, std::move(all), "Merge"), shape);
}

// Gives the furthest end of an interval that is not empty.
static double written_up_to(Workshop& shop, const Arg& to, const Arg& counts, const char* maker) {
  const Arg end = shop.linked({griddle_add, to, counts}, unbounded, to->length, maker);
  const Arg some = shop.linked({griddle_greater, counts, {}, 0, false, true}, {0, 1, true}, to->length, maker, true);
  return folded(shop, griddle_fold_maximum, shop.linked({griddle_multiply, end, some}, unbounded, to->length, maker), maker);
}

// Tells whether two intervals are written to one place: then they mark fewer places than they have elements.
static bool overlap(Workshop& shop, const griddle_intervals& intervals, std::size_t length, const char* maker) {
  const Arg words = filled(shop, ElementType::f64, Value(0.0), (length + 63) / 64, maker);
  void* const marked = words->memory();
  griddle_intervals written = intervals;
  written.from = nullptr;
  shop.run<&griddle_plugin::move_intervals>(maker, &written, 1, nullptr, marked);
  std::uint64_t count = 0;
  shop.waits();
  shop.run<&griddle_plugin::count_bits>(maker, marked, length, &count);
  return count != intervals.total;
}

Value moved_intervals(Workshop& shop, const IntervalMove& m) {
  constexpr const char* name = "•gpu.Move";
  Arg counts = shop.operand(m.counts, true), source = shop.operand(m.source, true);
  if (!counts || !source || !is_number(counts->type)) return Value();
  const std::size_t cells = m.source.array().cells(), cell = m.source.array().cell_length();
  const double width = static_cast<double>(cell);
  // Counts and places in elements.
  const auto in_elements = [&](const Arg& a) {
    if (cell == 1) return a;
    return shop.linked({griddle_multiply, a, {}, width, false, true},
                       sane({a->bounds.low * width, a->bounds.high * width, a->bounds.integral}), a->length, name);
  };
  const auto places = [&](const Value& v) -> Arg {
    if (v.is_absent()) return {};
    Arg a = shop.operand(v, true);
    if (!a || !is_number(a->type) || a->length != counts->length) throw DeviceDeclines();
    if (!a->bounds.integral && !(a = integers(shop, a, name))) throw DeviceDeclines();
    return in_elements(a);
  };
  Arg from = places(m.gather), to = places(m.scatter);
  const bool wide = (from && from->type == ElementType::f64) || (to && to->type == ElementType::f64);
  for (Arg* a : {&from, &to})
    if (*a) *a = shop.in_type(*a, wide ? ElementType::f64 : ElementType::i32, name);
  const Ends ends = ends_of(shop, in_elements(counts), name);
  griddle_intervals intervals = intervals_of(ends);
  intervals.place_type = wide ? griddle_device_f64 : griddle_device_i32;
  intervals.from = from ? from->memory() : nullptr;
  intervals.to = to ? to->memory() : nullptr;

  Arg target;
  std::size_t length = intervals.total;
  if (!m.target.is_absent()) {
    target = shop.operand(m.target, true);
    if (!target || is_number(target->type) != is_number(source->type)) return Value();
    length = target->length;
    if (!to && intervals.total > length) return Value();
  } else if (to) {
    const double furthest = written_up_to(shop, to, in_elements(counts), name);
    if (!(furthest >= 1 && furthest <= most_elements)) return Value();
    length = static_cast<std::size_t>(furthest);
  }
  if (!from && intervals.total > source->length) return Value();
  int bad = 0;
  shop.waits();
  shop.run<&griddle_plugin::check_intervals>(name, &intervals, cells * cell, length, &bad);
  if (bad) return Value();
  if (to && overlap(shop, intervals, length, name)) return Value();

  const ElementType type = target ? wider(source->type, target->type) : source->type;
  source = shop.in_type(source, type, name);
  const void* const elements = source->memory();
  const bool fills = !target && to && length != intervals.total;
  Arg d = target  ? copy_to_change(shop, target, type, source->bounds)
          : fills ? filled(shop, type, is_number(type) ? Value(0.0) : Value::character(U' '), length, name)
                  : shop.made(type, length, source->bounds, name);
  if (fills) d->bounds = covering(d->bounds, source->bounds);
  void* const out = target || fills ? d->memory() : d->allocate();
  shop.run<&griddle_plugin::move_intervals>(name, &intervals, bits_of(type), elements, out);
  Shape shape(m.source.array().shape());
  shape[0] = length / cell;
  return shop.wrap(std::move(d), shape);
}

Value Offload::move_intervals(Context&, const IntervalMove& m) {
  if (!m.source.is_array() || m.source.array().rank() == 0 || !ready()) return Value();
  const auto is_there = [&](const Value& v) { return static_cast<bool>(shop_.resident(v)); };
  if (!forced && !is_there(m.source) && !is_there(m.counts) && !is_there(m.gather) && !is_there(m.scatter) && !is_there(m.target))
    return Value();
  return on_device("•gpu.Move", [&](Workshop& shop) { return moved_intervals(shop, m); });
}

}  // namespace griddle::gpu
