// Cells put to places: Under of what selects them.
#include "gpu/offload.h"

namespace griddle {

namespace {

constexpr const char* name = "Under";

}  // namespace

// Gives an atom over and over.
Offload::Arg Offload::filled(ElementType type, const Value& atom, std::size_t length, const char* maker) {
  const Arg one = in_type(unit(atom), type, maker);
  const void* const from = one->memory();
  Arg d = made(type, length, one->bounds, maker);
  void* const to = d->allocate();
  state_->check(state_->plugin().tile(state_->device(), bits_of(type), from, 1, to, length), maker);
  return d;
}

// Gives places of so many, of which some may count from the end, counted from the start.
Offload::Arg Offload::counted_from_start(const Arg& places, std::size_t cells, const char* maker) {
  const double n = static_cast<double>(cells);
  const Arg behind = linked({griddle_less, places, {}, 0, false, true}, {0, 1, true}, places->length, maker, true);
  const Arg added = linked({griddle_multiply, behind, {}, n, false, true}, {0, n, true}, places->length, maker);
  return linked({griddle_add, places, added}, {0, n - 1, true}, places->length, maker);
}

// Gives the same as integers of 32 bits.
Offload::Arg Offload::places_from_start(const Value& places, std::size_t cells) {
  const Arg given = operand(places, true);
  if (!given || !is_number(given->type) || cells > most_places) throw DeviceDeclines();
  Arg at = integers(given, name);
  if (!at) throw DeviceDeclines();
  // Places that nobody has selected by may be none.
  const double n = static_cast<double>(cells);
  Bounds b = looked_at(at);
  if (b.low < -n || b.high >= n) b = extremes(at);
  if (b.low < -n || b.high >= n) throw DeviceDeclines();
  if (b.low < 0) at = counted_from_start(at, cells, name);
  return in_type(at, ElementType::i32, name);
}

// What a change of few places takes: some calls, and a pass over all elements to read them and one to write.
double Offload::changing_seconds(const DeviceArray& a) {
  constexpr double calls = 3, passes = 2;
  const double bytes = static_cast<double>(a.length) * bits_of(a.type) / 8;
  return calls * costs().call + passes * bytes * costs().pass;
}

bool Offload::takes_change(const Value& x, std::size_t places) {
  const Arg a = resident(x);
  if (!a) return false;
  constexpr std::size_t many = 16;  // one place in so many
  if (places >= a->length / many) return true;
  if (settings_.forced && a->changing_seconds == 0) return true;
  const double fetching = costs().call + static_cast<double>(a->length) * bits_of(a->type) / 8 * costs().down;
  if (a->changing_seconds + changing_seconds(*a) <= fetching) return true;
  declined = Reason::little;
  return false;
}

// Gives an array for what was there with some of it changed, with the bounds of both.
Offload::Arg Offload::to_change(const Arg& before, ElementType type, const Bounds& added) {
  Arg d = made(type, before->length, covering(before->bounds, added), name);
  d->changing_seconds = before->changing_seconds + changing_seconds(*before);
  return d;
}

// Gives a copy of what is there, to be changed so.
Offload::Arg Offload::copy_to_change(const Arg& before, ElementType type, const Bounds& added) {
  const Arg old = in_type(before, type, name);
  const void* const from = old->memory();
  Arg d = to_change(before, type, added);
  void* const to = d->allocate();
  state_->check(state_->plugin().move(state_->device(), bits_of(type), from, 0, 1, to, 0, old->length), name);
  return d;
}

Value Offload::replace_run(Context&, const Value& x, std::size_t first, std::size_t count, const Value& v) {
  return on_device("Under", [&]() -> Value {
    const Arg before = operand(x, true);
    const bool atom = v.is_number() || v.is_character();
    const Arg given = atom ? unit(v) : operand(v, true);
    if (!before || !given || is_number(given->type) != is_number(before->type)) return Value();
    const ElementType type = wider(before->type, given->type);
    const Arg source = in_type(given, type, name);
    const void* const from = source->memory();
    Arg d = copy_to_change(before, type, source->bounds);
    const std::size_t cell = x.array().cell_length();
    state_->check(state_->plugin().move(state_->device(), bits_of(type), from, 0, 1, d->memory(),
                                        static_cast<std::int64_t>(first * cell), count * cell),
                  name);
    return wrap(std::move(d), x.array().shape());
  });
}

Value Offload::replace(Context& cx, const Value& x, const Value& places, const Value& v) {
  return on_device("Under", [&]() -> Value {
    if (places.array().length == 0) return Value();
    const bool atom = v.is_number() || v.is_character();
    if (!atom && !v.is_array()) return Value();
    const std::size_t cells = x.array().cells(), cell = x.array().cell_length();
    const Arg before = operand(x, true);
    if (!before) return Value();
    const Arg at = places_from_start(places, cells);
    const std::size_t count = at->length;
    const Arg given = atom ? Arg() : operand(v, true);
    if (!atom && !given) return Value();
    const ElementType kind = atom ? element_type_of(v) : given->type;
    if (is_number(kind) != is_number(before->type)) return Value();
    ElementType type = wider(before->type, kind);
    if (cell != 1) {
      // Intervals of a cell each; where two meet, the host compares them.
      const Value cell_places = wrap_list(at), ones = wrap_list(filled(ElementType::i8, Value(1.0), count, name));
      const Arg cells_given = atom ? filled(type, v, count * cell, name) : given;
      Shape shape(x.array().shape());
      shape[0] = count;
      return move_intervals(cx, {ones, Value(), cell_places, wrap(cells_given, shape), x});
    }
    // Bits are written as bytes.
    const bool to_bits = type == ElementType::bit;
    if (to_bits) type = ElementType::i8;
    const Arg source = atom ? filled(type, v, count, name) : in_type(given, type, name);
    const void *const from = source->memory(), *const index = at->memory();
    const Arg old = in_type(before, type, name);
    const void* const there = old->memory();
    Arg d = to_change(before, type, source->bounds);
    void* const to = d->allocate();
    int repeated = 0;
    if (!atom) state_->open->waits++;
    state_->check(state_->plugin().scatter(state_->device(), bits_of(type) / 8, there, from,
                                           static_cast<const std::int32_t*>(index), to, count, cells, atom ? nullptr : &repeated),
                  name);
    if (repeated) {
      // What is read back differs where two differ for one place.
      const Arg read = gathered(d, at, cells, 1, name);
      const Arg differ = linked({griddle_not_equal, read, source}, {0, 1, true}, count, name, true);
      if (folded(griddle_fold_maximum, differ, name) != 0) return Value();
    }
    if (!to_bits) return wrap(std::move(d), x.array().shape());
    const Arg bits = in_type(d, ElementType::bit, name);
    bits->changing_seconds = d->changing_seconds;
    return wrap(bits, x.array().shape());
  });
}

}  // namespace griddle
