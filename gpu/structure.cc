// Structural primitives on the device: which function does what, and selection.
#include <algorithm>
#include <cmath>

#include "gpu/offload.h"

namespace griddle {

namespace {

bool is_list(const Value& v) { return v.is_array() && v.array().rank() == 1; }
Value as_element(ElementType type, double code) {
  return is_number(type) ? Value(code) : Value::character(static_cast<char32_t>(code));
}

}  // namespace

Value Offload::structural_monad(Glyph glyph, const Value& x, bool moves) {
  if (glyph == Glyph::join && is_list(x) && x.array().type() == ElementType::boxed) return joined_lists(x);
  Arg a = operand(x, forced || moves);
  if (!a) return Value();
  const std::span<const std::size_t> shape = x.array().shape();
  switch (glyph) {
    case Glyph::reshape: return wrap_list(std::move(a));
    case Glyph::rotate: return reversed(a, shape);
    case Glyph::transpose: return transposed(a, shape);
    case Glyph::shift_before:
    case Glyph::shift_after:
      return shape.empty() ? Value() : nudged(a, shape, is_number(a->type) ? 0 : ' ', glyph == Glyph::shift_after);
    case Glyph::select:
      if (shape.empty()) return Value();
      return wrap(put_together({{a, 0, x.array().cell_length()}}, "First Cell"), shape.subspan(1));
    case Glyph::pick: return as_element(a->type, one_element(*a, 0));
    default: break;
  }
  if (!is_list(x)) return cell_monad(glyph, a, shape);
  if (const FunctionFacts& facts = entry_of(glyph).one; facts.orders != Orders::no)
    return wrap_list(facts.orders == Orders::sorts ? sorted(a, facts.down) : graded(a, facts.down));
  switch (glyph) {
    case Glyph::replicate: return is_number(a->type) ? list_or_empty(indices(a), ElementType::i8) : Value();
    case Glyph::member: return wrap_list(marked_firsts(a));
    case Glyph::find: return deduplicated(a);
    case Glyph::index_of: return wrap_list(classified(a));
    case Glyph::progressive_index: return wrap_list(occurrences(a));
    case Glyph::group: return is_number(a->type) ? grouped(x, Value()) : Value();
    default: return Value();
  }
}

Value Offload::structural_dyad(Glyph glyph, const Value& w, const Value& x, bool moves) {
  const bool send = forced || moves || is_there(w) || is_there(x);
  switch (glyph) {
    case Glyph::join: return joined(w, x, send);
    case Glyph::couple: return coupled(w, x, send);
    case Glyph::shift_before: return shifted(w, x, send, false);
    case Glyph::shift_after: return shifted(w, x, send, true);
    case Glyph::match:
    case Glyph::not_match: return matched(w, x, glyph == Glyph::match);
    case Glyph::replicate: return replicated(w, x, send);
    case Glyph::group: return is_list(w) && (is_list(x) || rank_of(x) == 2) ? grouped(w, x) : Value();
    case Glyph::find: return w.is_array() && x.is_array() && send ? found(w, x, send) : Value();
    default: break;
  }
  if (glyph == Glyph::select && w.is_array()) {
    Arg index = operand(w, send), from = operand(x, send);
    return index && from && is_number(index->type) && rank_of(x) != 0 ? select(index, from, w, x) : Value();
  }
  const FunctionFacts& facts = entry_of(glyph).two;
  if (facts.orders == Orders::finds_bins || is_any(glyph, Glyph::member, Glyph::index_of, Glyph::progressive_index)) {
    const Value& list = glyph == Glyph::member ? x : w;
    const Value& sought = glyph == Glyph::member ? w : x;
    if (list.is_array() && sought.is_atom()) return found_atom(glyph, list, sought);
    if (!list.is_array() || !sought.is_array()) return Value();
    if (!is_list(list)) return searched_cells(glyph, list, sought, send);
    if (glyph == Glyph::member)
      if (Arg few = members_of_few(sought, list)) return wrap(std::move(few), sought.array().shape());
    Arg among = operand(list, send), keys = operand(sought, send);
    if (!among || !keys) return Value();
    Arg found = glyph == Glyph::member              ? members(keys, among)
                : glyph == Glyph::index_of          ? positions(among, keys)
                : glyph == Glyph::progressive_index ? progressive_positions(among, keys)
                                                    : bins(among, keys, among->length, facts.down);
    return wrap(std::move(found), sought.array().shape());
  }
  // What is left takes how much, how far or which place from a number or a few.
  Arg a = operand(x, forced);
  if (!a) return Value();
  const std::span<const std::size_t> shape = x.array().shape();
  switch (glyph) {
    case Glyph::reshape: return reshaped(w, a);
    case Glyph::rotate: return rotated(w, a, shape);
    case Glyph::transpose: return reordered(w, a, shape);
    case Glyph::take: return taken(w, a, shape, false);
    case Glyph::drop: return taken(w, a, shape, true);
    case Glyph::windows: return windows_of(w, a, shape);
    case Glyph::select:
    case Glyph::pick: {
      std::int64_t at;
      if (shape.empty() || !w.is_number() || !w.to_integer(at)) return Value();
      const std::int64_t n = static_cast<std::int64_t>(shape[0]);
      if (at < -n || at >= n || (glyph == Glyph::pick && shape.size() != 1)) return Value();
      const std::size_t place = static_cast<std::size_t>(at < 0 ? at + n : at), cell = x.array().cell_length();
      if (glyph == Glyph::pick) return as_element(a->type, one_element(*a, place));
      return wrap(put_together({{a, place * cell, cell}}, "Select"), shape.subspan(1));
    }
    default: return Value();
  }
}

Value Offload::matched(const Value& w, const Value& x, bool wanted) {
  if (!w.is_array() || !x.is_array()) return Value();
  const bool send = forced || is_there(w) || is_there(x);
  Arg a = operand(w, send), b = operand(x, send);
  if (!a || !b) return Value();
  bool same = same_shape(shape_of(w), shape_of(x)) && is_number(a->type) == is_number(b->type);
  const std::size_t n = a->length;
  if (same) same = folded(griddle_fold_maximum, linked({griddle_not_equal, a, b}, {0, 1, true}, n, "Match", true), "Match") == 0;
  return Value(static_cast<double>(same == wanted));
}

// --- selection

Value Offload::replicated(const Value& w, const Value& x, bool send) {
  if (rank_of(x) == 0) return Value();
  Arg a = operand(x, send);
  if (!a) return Value();
  const std::size_t cells = x.array().cells(), cell = x.array().cell_length();
  Shape shape(shape_of(x));
  if (std::int64_t n; !w.is_array()) {
    if (!w.to_integer(n) || n < 1) return Value();
    shape[0] = cells * static_cast<std::size_t>(n);
    const std::int64_t step = static_cast<std::int64_t>(cell);
    const std::vector<griddle_axis> axes{{cells, step, 0, 0}, {static_cast<std::uint64_t>(n), 0, 0, 0}, {cell, 1, 0, 0}};
    return wrap(chosen(a, 0, axes, false, "Replicate"), shape);
  }
  if (!is_list(w) || w.array().length != cells || !is_number(w.array().type())) return Value();
  Arg counts = operand(w, send);
  if (!counts) return Value();
  if (x.array().rank() == 1) {
    if (counts->type != ElementType::bit) return wrap_list(repeated(counts, a));
    return list_or_empty(kept_if_any(counts, a), a->type);
  }
  Arg places = indices(counts);
  if (!places) return Value();
  shape[0] = places->length;
  return wrap(gathered(a, places, cells, cell, "Replicate"), shape);
}

// Gives a list, or one without elements where it is null.
Value Offload::list_or_empty(Arg list, ElementType type) {
  return list ? wrap_list(std::move(list)) : to_value(make_list(state_->cx.heap, type, 0));
}

std::uint64_t Offload::count_marks(const Arg& mask, const char* maker) {
  const void* bits = mask->memory();
  if (mask->ones) return *mask->ones;
  std::uint64_t count = 0;
  state_->open->waits++;
  state_->check(state_->plugin().count_bits(state_->device(), bits, mask->length, &count), maker);
  mask->ones = count;
  return count;
}

// Gives the elements that a mask marks; null where it marks none.
Offload::Arg Offload::kept_if_any(const Arg& mask, const Arg& x) {
  const std::uint64_t count = count_marks(mask, "Replicate");
  if (count == 0) return {};
  const void* bits = mask->memory();
  const void* elements = x->is_only_range() && x->type == ElementType::i32 ? nullptr : x->memory();
  Arg d = made(x->type, count, x->bounds, "Replicate");
  void* to = d->allocate();
  const auto& plugin = state_->plugin();
  state_->check(x->type == ElementType::bit
                    ? plugin.select_bits(state_->device(), elements, bits, to, count, mask->length)
                    : plugin.select_if(state_->device(), bits_of(x->type) / 8, elements, bits, to, nullptr, mask->length),
                d->maker);
  return d;
}

Offload::Arg Offload::kept(const Arg& mask, const Arg& x) {
  Arg some = kept_if_any(mask, x);
  if (!some) throw DeviceDeclines();
  return some;
}

Value Offload::select(const Arg& w, const Arg& x, const Value& index, const Value& from) {
  const std::size_t cells = from.array().cells(), cell = from.array().cell_length();
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
  shape.append(from.array().shape().subspan(1));
  return wrap(std::move(d), shape);
}

// Selects the same places from each of the cells that `frame` axes lead to: by their numbers, or by how often each is taken.
Value Offload::selected_in_cells(Glyph glyph, const Value& w, const Arg& x, std::span<const std::size_t> shape,
                                 std::size_t frame) {
  constexpr const char* name = "Select";
  const std::size_t outer = griddle::product(shape.first(frame)), length = shape[frame];
  const std::size_t cell = griddle::product(shape.subspan(frame + 1));
  Arg places = is_list(w) ? operand(w, true) : Arg();
  if (!places || !(places = integers(places, name)) || outer * length > most_places) return Value();
  if (glyph == Glyph::replicate) {
    if (places->length != length || !(places = indices(places))) return Value();
  } else {
    const auto are_within = [&](const Bounds& b) {
      return b.low >= -static_cast<double>(length) && b.high < static_cast<double>(length);
    };
    const Bounds b = are_within(places->bounds) ? places->bounds : extremes(places);
    if (!are_within(b)) return Value();
    if (b.low < 0) places = counted_from_start(places, length, name);
  }
  const std::size_t count = places->length, all = outer * count;
  if (all > most_places) return Value();
  const double step = static_cast<double>(length), last = static_cast<double>(outer - 1) * step;
  const Arg starts = linked({griddle_multiply, counted_up(outer), {}, step, false, true}, {0, last, true}, outer, name);
  const Arg at =
      linked({griddle_add, spread(starts, count, 0, all), spread(places, 1, count, all)}, {0, last + step - 1, true}, all, name);
  Shape result(shape);
  result[frame] = count;
  return wrap(gathered(x, in_type(at, ElementType::i32, name), outer * length, cell, name), result);
}

// Takes cells from places that are known to be within bounds.
Offload::Arg Offload::gathered(const Arg& x, const Arg& at, std::size_t cells, std::size_t cell, const char* maker) {
  Arg places = without_bits(at);
  const void* index = places->memory();
  const void* elements = x->memory();
  Arg d = made(x->type, at->length * cell, x->bounds, maker);
  void* to = d->allocate();
  state_->check(state_->plugin().gather(state_->device(), bits_of(x->type), elements, cells, cell, plugin_type(places->type),
                                        index, to, at->length, nullptr),
                maker);
  return d;
}

}  // namespace griddle
