// Cells put to places: Under of what selects them.
#include "gpu/offload.h"

namespace griddle::gpu {

namespace {

constexpr const char* name = "Under";

}  // namespace

// Gives an atom over and over.
Arg filled(Workshop& shop, ElementType type, const Value& atom, std::size_t length, const char* maker) {
  const Arg one = shop.in_type(unit(shop, atom), type, maker);
  const void* const from = one->memory();
  Arg d = shop.made(type, length, one->bounds, maker);
  void* const to = d->allocate();
  shop.run<&griddle_plugin::tile>(maker, bits_of(type), from, 1, to, length);
  return d;
}

// Gives places of so many, of which some may count from the end, counted from the start.
Arg counted_from_start(Workshop& shop, const Arg& places, std::size_t cells, const char* maker) {
  const double n = static_cast<double>(cells);
  const Arg behind = shop.linked({griddle_less, places, {}, 0, false, true}, {0, 1, true}, places->length, maker, true);
  const Arg added = shop.linked({griddle_multiply, behind, {}, n, false, true}, {0, n, true}, places->length, maker);
  return shop.linked({griddle_add, places, added}, {0, n - 1, true}, places->length, maker);
}

// Gives the same as integers of 32 bits.
static Arg places_from_start(Workshop& shop, const Value& places, std::size_t cells) {
  const Arg given = shop.operand(places, true);
  if (!given || !is_number(given->type) || cells > most_places) throw DeviceDeclines();
  Arg at = integers(shop, given, name);
  if (!at) throw DeviceDeclines();
  // Places that nobody has selected by may be none.
  const double n = static_cast<double>(cells);
  Bounds b = looked_at(shop, at);
  if (b.low < -n || b.high >= n) b = extremes(shop, at);
  if (b.low < -n || b.high >= n) throw DeviceDeclines();
  if (b.low < 0) at = counted_from_start(shop, at, cells, name);
  return shop.in_type(at, ElementType::i32, name);
}

// What a change of few places takes: some calls, and a pass over all elements to read them and one to write.
static double changing_seconds(Workshop& shop, const DeviceArray& a) {
  constexpr double calls = 3, passes = 2;
  const double bytes = static_cast<double>(a.length) * bits_of(a.type) / 8;
  return calls * shop.costs().call + passes * bytes * shop.costs().pass;
}

bool Offload::takes_change(const Value& x, std::size_t places) {
  const Arg a = shop_.resident(x);
  if (!a) return false;
  constexpr std::size_t many = 16;  // one place in so many
  if (places >= a->length / many) return true;
  if (settings_.forced && a->changing_seconds == 0) return true;
  const double fetching = shop_.costs().call + static_cast<double>(a->length) * bits_of(a->type) / 8 * shop_.costs().down;
  if (a->changing_seconds + changing_seconds(shop_, *a) <= fetching) return true;
  declined = Reason::little;
  return false;
}

// Gives an array for what was there with some of it changed, with the bounds of both.
static Arg to_change(Workshop& shop, const Arg& before, ElementType type, const Bounds& added) {
  Arg d = shop.made(type, before->length, covering(before->bounds, added), name);
  d->changing_seconds = before->changing_seconds + changing_seconds(shop, *before);
  return d;
}

// Gives a copy of what is there, to be changed so.
Arg copy_to_change(Workshop& shop, const Arg& before, ElementType type, const Bounds& added) {
  const Arg old = shop.in_type(before, type, name);
  const void* const from = old->memory();
  Arg d = to_change(shop, before, type, added);
  void* const to = d->allocate();
  shop.run<&griddle_plugin::move>(name, bits_of(type), from, 0, 1, to, 0, old->length);
  return d;
}

Value Offload::replace_run(Context&, const Value& x, std::size_t first, std::size_t count, const Value& v) {
  return on_device("Under", [&](Workshop& shop) -> Value {
    const Arg before = shop.operand(x, true);
    const bool atom = v.is_number() || v.is_character();
    const Arg given = atom ? unit(shop, v) : shop.operand(v, true);
    if (!before || !given || is_number(given->type) != is_number(before->type)) return Value();
    const ElementType type = wider(before->type, given->type);
    const Arg source = shop.in_type(given, type, name);
    const void* const from = source->memory();
    Arg d = copy_to_change(shop, before, type, source->bounds);
    const std::size_t cell = x.array().cell_length();
    shop.run<&griddle_plugin::move>(name, bits_of(type), from, 0, 1, d->memory(), static_cast<std::int64_t>(first * cell),
                                    count * cell);
    return shop.wrap(std::move(d), x.array().shape());
  });
}

Value Offload::replace(Context&, const Value& x, const Value& places, const Value& v) {
  return on_device("Under", [&](Workshop& shop) -> Value {
    if (places.array().length == 0) return Value();
    const bool atom = v.is_number() || v.is_character();
    if (!atom && !v.is_array()) return Value();
    const std::size_t cells = x.array().cells(), cell = x.array().cell_length();
    const Arg before = shop.operand(x, true);
    if (!before) return Value();
    const Arg at = places_from_start(shop, places, cells);
    const std::size_t count = at->length;
    const Arg given = atom ? Arg() : shop.operand(v, true);
    if (!atom && !given) return Value();
    const ElementType kind = atom ? element_type_of(v) : given->type;
    if (is_number(kind) != is_number(before->type)) return Value();
    ElementType type = wider(before->type, kind);
    if (cell != 1) {
      // Intervals of a cell each; where two meet, the host compares them.
      const Value cell_places = shop.wrap_list(at), ones = shop.wrap_list(filled(shop, ElementType::i8, Value(1.0), count, name));
      const Arg cells_given = atom ? filled(shop, type, v, count * cell, name) : given;
      Shape shape(x.array().shape());
      shape[0] = count;
      return moved_intervals(shop, {ones, Value(), cell_places, shop.wrap(cells_given, shape), x});
    }
    // Bits are written as bytes.
    const bool to_bits = type == ElementType::bit;
    if (to_bits) type = ElementType::i8;
    const Arg source = atom ? filled(shop, type, v, count, name) : shop.in_type(given, type, name);
    const void *const from = source->memory(), *const index = at->memory();
    const Arg old = shop.in_type(before, type, name);
    const void* const there = old->memory();
    Arg d = to_change(shop, before, type, source->bounds);
    void* const to = d->allocate();
    int repeated = 0;
    if (!atom) shop.waits();
    shop.run<&griddle_plugin::scatter>(name, bits_of(type) / 8, there, from, static_cast<const std::int32_t*>(index), to, count,
                                       cells, atom ? nullptr : &repeated);
    if (repeated) {
      // What is read back differs where two differ for one place.
      const Arg read = gathered(shop, d, at, cells, 1, name);
      const Arg differ = shop.linked({griddle_not_equal, read, source}, {0, 1, true}, count, name, true);
      if (folded(shop, griddle_fold_maximum, differ, name) != 0) return Value();
    }
    if (!to_bits) return shop.wrap(std::move(d), x.array().shape());
    const Arg bits = shop.in_type(d, ElementType::bit, name);
    bits->changing_seconds = d->changing_seconds;
    return shop.wrap(bits, x.array().shape());
  });
}

}  // namespace griddle::gpu
