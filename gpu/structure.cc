// Structural primitives on the device: selection, pieces, order, search.
#include <algorithm>
#include <cmath>

#include "gpu/offload.h"

namespace griddle {

namespace {

constexpr std::size_t most_places = 0x7FFFFFFF;  // places are 32-bit integers

bool is_list(const Value& v) { return v.is_array() && v.array().rank() == 1; }
bool is_integer_number(const Value& v) {
  return v.is_number() && v.number() == std::floor(v.number()) && std::fabs(v.number()) < 4e15;
}

}  // namespace

Value Offload::structural_monad(char32_t glyph, const Value& x, bool moves) {
  Arg a = operand(x, settings_.forced || moves);
  if (!a) return Value();
  switch (glyph) {
    case U'⥊': return wrap_list(std::move(a));
    case U'⌽': {
      if (!is_list(x)) return Value();
      const std::int64_t last = static_cast<std::int64_t>(a->length) - 1;
      return piece(a, last, -1, a->length, "Reverse");
    }
    case U'/': return is_list(x) && is_number(a->type) ? indices(a) : Value();
    case U'⍉': {
      if (x.array().rank() != 2 || a->type == ElementType::bit) return Value();
      const std::size_t rows = x.array().cells(), across = x.array().cell_length();
      const void* from = a->memory();
      Arg d = made(a->type, a->length, a->bounds, "Transpose");
      void* to = d->allocate();
      state_->check(state_->plugin().transpose(state_->device(), bits_of(a->type) / 8, from, to, rows, across), d->maker);
      const std::size_t shape[] = {across, rows};
      return wrap(std::move(d), shape);
    }
    case U'∧': return is_list(x) ? sorted(a, false) : Value();
    case U'∨': return is_list(x) ? sorted(a, true) : Value();
    case U'⍋':
    case U'⍒': {
      if (!is_list(x) || a->length > most_places) return Value();
      return wrap_list(graded(a, glyph == U'⍒'));
    }
    case U'⊑':
      if (!is_list(x)) return Value();
      return is_number(a->type) ? Value(one_element(*a, 0)) : Value::character(static_cast<char32_t>(one_element(*a, 0)));
    default: return Value();
  }
}

Value Offload::structural_dyad(char32_t glyph, const Value& w, const Value& x, bool moves) {
  const bool send = settings_.forced || moves || resident(w) || resident(x);
  if (glyph == U'⥊') {
    Arg a = operand(x, settings_.forced);
    return a ? reshape(w, a, x) : Value();
  }
  if (!is_list(x) && glyph != U'⊏' && glyph != U'≡' && glyph != U'≢') return Value();
  if (w.is_number()) {
    Arg a = operand(x, settings_.forced);
    if (!a || !is_integer_number(w)) return Value();
    const double by = w.number(), n = static_cast<double>(a->length);
    switch (glyph) {
      case U'↑':
        if (std::fabs(by) > n || by == 0) return Value();
        return piece(a, static_cast<std::int64_t>(by >= 0 ? 0 : n + by), 1, static_cast<std::size_t>(std::fabs(by)), "Take");
      case U'↓':
        if (std::fabs(by) >= n) return Value();
        return piece(a, static_cast<std::int64_t>(by >= 0 ? by : 0), 1, static_cast<std::size_t>(n - std::fabs(by)), "Drop");
      case U'⌽': return rotate(a, by);
      case U'⊑': {
        if (by < -n || by >= n) return Value();
        const double e = one_element(*a, static_cast<std::size_t>(by < 0 ? by + n : by));
        return is_number(a->type) ? Value(e) : Value::character(static_cast<char32_t>(e));
      }
      default: return Value();
    }
  }
  Arg a = operand(w, send), b = operand(x, send);
  if (!a || !b) return Value();
  switch (glyph) {
    case U'≡':
    case U'≢': {
      bool same = same_shape(w.array().shape(), x.array().shape()) && is_number(a->type) == is_number(b->type);
      const std::size_t n = a->length;
      if (same)
        same = folded(griddle_fold_maximum, linked({griddle_not_equal, a, b}, {0, 1, true}, n, "Match", true), "Match") == 0;
      return Value(static_cast<double>(same == (glyph == U'≡')));
    }
    case U'/':
      if (!is_list(w) || a->length != b->length || !is_number(a->type)) return Value();
      return a->type == ElementType::bit ? replicate(a, b) : repeat(a, b);
    case U'⊏': return is_list(w) && is_number(a->type) ? select(a, b, w, x) : Value();
    case U'∾': return is_list(w) && is_number(a->type) == is_number(b->type) ? join(a, b) : Value();
    case U'∊': return is_list(w) ? member(a, b) : Value();
    case U'⊐': return is_list(w) ? wrap_list(positions(a, b)) : Value();
    default: return Value();
  }
}

// --- selection

Value Offload::indices(const Arg& x) {
  if (x->length > most_places) return Value();
  Arg all = made(ElementType::i32, x->length, {0, static_cast<double>(x->length - 1), true}, "Indices");
  all->set_range();
  return x->type == ElementType::bit ? replicate(x, all) : repeat(x, all);
}

Value Offload::replicate(const Arg& w, const Arg& x) {
  std::uint64_t count = 0;
  const void* mask = w->memory();
  state_->open->waits++;
  state_->check(state_->plugin().count_bits(state_->device(), mask, w->length, &count), "Replicate");
  if (count == 0) return Value();
  Arg from = without_bits(x);
  const void* elements = from->memory();
  Arg d = made(from->type, count, from->bounds, "Replicate");
  void* to = d->allocate();
  state_->check(state_->plugin().select_if(state_->device(), bits_of(from->type) / 8, elements, mask, to, nullptr, w->length),
                d->maker);
  return wrap_list(std::move(d));
}

Value Offload::repeat(const Arg& counts, const Arg& x) {
  if (!counts->bounds.integral) return Value();
  if (counts->bounds.low < 0 && folded(griddle_fold_minimum, counts, "Replicate") < 0) return Value();
  Arg c = without_bits(counts);
  const void* from = c->memory();
  Arg ends = made(ElementType::f64, c->length, {0, 0, false}, "Replicate");
  void* places = ends->allocate();
  state_->check(
      state_->plugin().scan(state_->device(), griddle_fold_add, plugin_type(c->type), griddle_f64, from, places, 1, c->length),
      ends->maker);
  const double total = one_element(*ends, ends->length - 1);
  if (total < 1 || total > 4e12) return Value();
  Arg source = without_bits(x);
  const void* elements = source->memory();
  Arg d = made(source->type, static_cast<std::size_t>(total), source->bounds, "Replicate");
  void* to = d->allocate();
  state_->check(state_->plugin().repeat(state_->device(), bits_of(source->type) / 8, elements, static_cast<const double*>(places),
                                        to, source->length, d->length),
                d->maker);
  return wrap_list(std::move(d));
}

Value Offload::select(const Arg& w, const Arg& x, const Value& index, const Value& from) {
  const std::size_t cells = from.array().cells(), cell = from.array().cell_length();
  if (from.array().rank() == 0 || cell == 0) return Value();
  const double n = static_cast<double>(cells);
  const bool safe = w->bounds.integral && w->bounds.low >= -n && w->bounds.high < n;
  Arg places = without_bits(w);
  const void* at = places->memory();
  const void* elements = x->memory();
  Arg d = made(x->type, w->length * cell, x->bounds, "Select");
  void* to = d->allocate();
  int bad = 0;
  if (!safe) state_->open->waits++;
  state_->check(state_->plugin().gather(state_->device(), bits_of(x->type), elements, cells, cell, plugin_type(places->type), at,
                                        to, w->length, safe ? nullptr : &bad),
                d->maker);
  if (bad) return Value();
  Shape shape(index.array().shape());
  if (from.array().rank() == 1) return wrap(std::move(d), shape);
  std::vector<std::size_t> whole(index.array().shape().begin(), index.array().shape().end());
  whole.insert(whole.end(), from.array().shape().begin() + 1, from.array().shape().end());
  return wrap(std::move(d), whole);
}

// --- pieces

Value Offload::piece(const Arg& x, std::int64_t from, std::int64_t step, std::size_t count, const char* maker) {
  const void* elements = x->memory();
  Arg d = made(x->type, count, x->bounds, maker);
  void* to = d->allocate();
  state_->check(state_->plugin().move(state_->device(), bits_of(x->type), elements, from, step, to, 0, count), maker);
  return wrap_list(std::move(d));
}

Value Offload::rotate(const Arg& x, double by) {
  const std::int64_t n = static_cast<std::int64_t>(x->length);
  std::int64_t first = static_cast<std::int64_t>(by) % n;
  if (first < 0) first += n;
  const void* elements = x->memory();
  Arg d = made(x->type, x->length, x->bounds, "Rotate");
  void* to = d->allocate();
  const auto& plugin = state_->plugin();
  state_->check(plugin.move(state_->device(), bits_of(x->type), elements, first, 1, to, 0, static_cast<std::uint64_t>(n - first)),
                d->maker);
  if (first)
    state_->check(
        plugin.move(state_->device(), bits_of(x->type), elements, 0, 1, to, n - first, static_cast<std::uint64_t>(first)),
        d->maker);
  return wrap_list(std::move(d));
}

Value Offload::join(const Arg& w, const Arg& x) {
  const ElementType type = wider(w->type, x->type);
  const Bounds bounds{std::min(w->bounds.low, x->bounds.low), std::max(w->bounds.high, x->bounds.high),
                      w->bounds.integral && x->bounds.integral};
  const auto in_type = [&](const Arg& a) {
    if (a->type == type) return a;
    Arg d = made(type, a->length, a->bounds, "Join To");
    d->set_link({griddle_add, a, {}, 0, false, true});
    return d;
  };
  Arg left = in_type(w), right = in_type(x);
  const void* first = left->memory();
  const void* second = right->memory();
  Arg d = made(type, w->length + x->length, bounds, "Join To");
  void* to = d->allocate();
  const auto& plugin = state_->plugin();
  state_->check(plugin.move(state_->device(), bits_of(type), first, 0, 1, to, 0, w->length), d->maker);
  state_->check(plugin.move(state_->device(), bits_of(type), second, 0, 1, to, static_cast<std::int64_t>(w->length), x->length),
                d->maker);
  return wrap_list(std::move(d));
}

Value Offload::reshape(const Value& w, const Arg& x, const Value&) {
  Shape shape;
  if (w.is_number()) {
    shape.push_back(static_cast<std::size_t>(w.number() >= 0 ? w.number() : 0));
    if (!is_integer_number(w) || w.number() < 1) return Value();
  } else if (is_list(w) && is_number(w.array().type()) && w.array().length != 0 && w.array().length <= 8) {
    for (std::size_t i = 0; i < w.array().length; i++) {
      const double d = number_at(w.array(), i);
      if (d != std::floor(d) || d < 1 || d > 4e12) return Value();
      shape.push_back(static_cast<std::size_t>(d));
    }
  } else {
    return Value();
  }
  double total = 1;
  for (std::size_t n : std::span<const std::size_t>(shape)) total *= static_cast<double>(n);
  if (total > 4e12) return Value();
  const std::size_t n = static_cast<std::size_t>(total);
  if (n == x->length) return wrap(x, shape);
  const void* from = x->memory();
  Arg d = made(x->type, n, x->bounds, "Reshape");
  void* to = d->allocate();
  const auto& plugin = state_->plugin();
  state_->check(n < x->length ? plugin.move(state_->device(), bits_of(x->type), from, 0, 1, to, 0, n)
                              : plugin.tile(state_->device(), bits_of(x->type), from, x->length, to, n),
                d->maker);
  return wrap(std::move(d), shape);
}

// --- order and search

Value Offload::sorted(const Arg& x, bool down) {
  Arg a = without_bits(x);
  const void* from = a->memory();
  Arg d = made(a->type, a->length, a->bounds, down ? "Sort Down" : "Sort Up");
  void* to = d->allocate();
  state_->check(state_->plugin().sort(state_->device(), plugin_type(a->type), from, to, nullptr, a->length, down), d->maker);
  return wrap_list(std::move(d));
}

Offload::Arg Offload::graded(const Arg& x, bool down) {
  Arg a = without_bits(x);
  // Both zeros are one number: adding 0 leaves the positive one.
  if (a->type == ElementType::f64)
    a = linked({griddle_add, a, {}, 0, false, true}, {a->bounds.low, a->bounds.high, false}, a->length, "Grade");
  const void* from = a->memory();
  Arg d = made(ElementType::i32, a->length, {0, static_cast<double>(a->length - 1), true}, down ? "Grade Down" : "Grade Up");
  void* to = d->allocate();
  state_->check(state_->plugin().sort(state_->device(), plugin_type(a->type), from, nullptr, static_cast<std::int32_t*>(to),
                                      a->length, down),
                d->maker);
  return d;
}

Value Offload::member(const Arg& w, const Arg& x) {
  if (is_number(w->type) != is_number(x->type) || x->length > most_places) return Value();
  const double n = static_cast<double>(x->length);
  const std::size_t count = w->length;
  return wrap_list(linked({griddle_less, positions(x, w), {}, n, false, true}, {0, 1, true}, count, "Member of", true));
}

// Gives for each sought element the first place among the others where it is, or their number.
Offload::Arg Offload::positions(const Arg& among, const Arg& sought) {
  // What is no number is in no order.
  const auto ordered = [](const Arg& a) { return a->type != ElementType::f64 || a->bounds.integral; };
  if (is_number(among->type) != is_number(sought->type) || among->length > most_places || !ordered(among) || !ordered(sought))
    throw DeviceDeclines();
  const auto& plugin = state_->plugin();
  const ElementType type = std::max(wider(among->type, sought->type), is_number(among->type) ? ElementType::i8 : ElementType::c8);
  const auto in_type = [&](const Arg& a) {
    if (a->type == type && type != ElementType::f64) return a;
    Arg d = made(type, a->length, a->bounds, "Index of");
    d->set_link({griddle_add, a, {}, 0, false, true});
    return d;
  };
  Arg list = in_type(among), keys = in_type(sought);
  const double n = static_cast<double>(list->length);
  Arg order = graded(list, false);
  const auto gathered = [&](const Arg& from, const Arg& at) {
    const void* elements = from->memory();
    const void* places = at->memory();
    Arg d = made(from->type, at->length, from->bounds, "Index of");
    void* to = d->allocate();
    state_->check(plugin.gather(state_->device(), bits_of(from->type), elements, from->length, 1, plugin_type(at->type), places,
                                to, at->length, nullptr),
                  d->maker);
    return d;
  };
  Arg ascending = gathered(list, order);
  Arg at = made(ElementType::i32, keys->length, {0, n, true}, "Index of");
  void* to = at->allocate();
  state_->check(plugin.bins(state_->device(), plugin_type(type), ascending->memory(), list->length, keys->memory(),
                            static_cast<std::int32_t*>(to), keys->length, 0),
                at->maker);
  const std::size_t count = keys->length;
  Arg within = without_bits(linked({griddle_minimum, at, {}, n - 1, false, true}, {0, n - 1, true}, count, "Index of"));
  within->memory();
  Arg found = linked({griddle_equal, gathered(ascending, within), keys}, {0, 1, true}, count, "Index of", true);
  // n + found × (place − n)
  Arg place = gathered(order, within);
  Arg difference = linked({griddle_subtract, place, {}, n, false, true}, {-n, 0, true}, count, "Index of");
  Arg where = linked({griddle_multiply, found, difference}, {-n, 0, true}, count, "Index of");
  return linked({griddle_add, where, {}, n, false, true}, {0, n, true}, count, "Index of");
}

}  // namespace griddle
