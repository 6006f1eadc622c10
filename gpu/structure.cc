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

Value Offload::structural_monad(char32_t glyph, const Value& x, bool moves) {
  if (glyph == U'∾' && is_list(x) && x.array().type() == ElementType::boxed) return joined_lists(x);
  Arg a = operand(x, settings_.forced || moves);
  if (!a) return Value();
  const std::span<const std::size_t> shape = x.array().shape();
  switch (glyph) {
    case U'⥊': return wrap_list(std::move(a));
    case U'⌽': return reversed(a, shape);
    case U'⍉': return transposed(a, shape);
    case U'»':
    case U'«': return shape.empty() ? Value() : nudged(a, shape, is_number(a->type) ? 0 : ' ', glyph == U'«');
    case U'⊏':
      if (shape.empty()) return Value();
      return wrap(put_together({{a, 0, x.array().cell_length()}}, "First Cell"), shape.subspan(1));
    case U'⊑': return as_element(a->type, one_element(*a, 0));
    default: break;
  }
  if (!is_list(x)) return cell_monad(glyph, a, shape);
  switch (glyph) {
    case U'/': return is_number(a->type) ? wrap_list(indices(a)) : Value();
    case U'∧': return sorted(a, false);
    case U'∨': return sorted(a, true);
    case U'⍋': return wrap_list(graded(a, false));
    case U'⍒': return wrap_list(graded(a, true));
    case U'∊': return wrap_list(marked_firsts(a));
    case U'⍷': return deduplicated(a);
    case U'⊐': return wrap_list(classified(a));
    case U'⊒': return wrap_list(occurrences(a));
    case U'⊔': return is_number(a->type) ? grouped(x, Value()) : Value();
    default: return Value();
  }
}

Value Offload::structural_dyad(char32_t glyph, const Value& w, const Value& x, bool moves) {
  const bool send = settings_.forced || moves || resident(w) || resident(x);
  switch (glyph) {
    case U'∾': return joined(w, x, send);
    case U'≍': return coupled(w, x, send);
    case U'»': return shifted(w, x, send, false);
    case U'«': return shifted(w, x, send, true);
    case U'≡':
    case U'≢': return matched(w, x, glyph == U'≡');
    case U'/': return replicated(w, x, send);
    case U'⊔': return is_list(x) && is_list(w) ? grouped(w, x) : Value();
    case U'⍷': return w.is_array() && x.is_array() && send ? found(w, x, send) : Value();
    default: break;
  }
  if (glyph == U'⊏' && w.is_array()) {
    Arg index = operand(w, send), from = operand(x, send);
    return index && from && is_number(index->type) && rank_of(x) != 0 ? select(index, from, w, x) : Value();
  }
  if (glyph == U'∊' || glyph == U'⊐' || glyph == U'⊒' || glyph == U'⍋' || glyph == U'⍒') {
    const Value& list = glyph == U'∊' ? x : w;
    const Value& sought = glyph == U'∊' ? w : x;
    if (!list.is_array() || !sought.is_array()) return Value();
    if (!is_list(list)) return searched_cells(glyph, list, sought, send);
    Arg among = operand(list, send), keys = operand(sought, send);
    if (!among || !keys) return Value();
    Arg found = glyph == U'∊'   ? members(keys, among)
                : glyph == U'⊐' ? positions(among, keys)
                : glyph == U'⊒' ? progressive_positions(among, keys)
                                : bins(among, keys, among->length, glyph == U'⍒');
    return wrap(std::move(found), sought.array().shape());
  }
  // What is left takes how much, how far or which place from a number or a few.
  Arg a = operand(x, settings_.forced);
  if (!a) return Value();
  const std::span<const std::size_t> shape = x.array().shape();
  switch (glyph) {
    case U'⥊': return reshaped(w, a);
    case U'⌽': return rotated(w, a, shape);
    case U'⍉': return reordered(w, a, shape);
    case U'↑': return taken(w, a, shape, false);
    case U'↓': return taken(w, a, shape, true);
    case U'↕': return windows(w, a, shape);
    case U'⊏':
    case U'⊑': {
      std::int64_t at;
      if (shape.empty() || !w.is_number() || !w.to_integer(at)) return Value();
      const std::int64_t n = static_cast<std::int64_t>(shape[0]);
      if (at < -n || at >= n || (glyph == U'⊑' && shape.size() != 1)) return Value();
      const std::size_t place = static_cast<std::size_t>(at < 0 ? at + n : at), cell = x.array().cell_length();
      if (glyph == U'⊑') return as_element(a->type, one_element(*a, place));
      return wrap(put_together({{a, place * cell, cell}}, "Select"), shape.subspan(1));
    }
    default: return Value();
  }
}

Value Offload::matched(const Value& w, const Value& x, bool wanted) {
  if (!w.is_array() || !x.is_array()) return Value();
  const bool send = settings_.forced || resident(w) || resident(x);
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
  if (x.array().rank() == 1) return wrap_list(counts->type == ElementType::bit ? kept(counts, a) : repeated(counts, a));
  Arg places = indices(counts);
  shape[0] = places->length;
  return wrap(gathered(a, places, cells, cell, "Replicate"), shape);
}

Offload::Arg Offload::kept(const Arg& mask, const Arg& x) {
  std::uint64_t count = 0;
  const void* bits = mask->memory();
  state_->open->waits++;
  state_->check(state_->plugin().count_bits(state_->device(), bits, mask->length, &count), "Replicate");
  if (count == 0) throw DeviceDeclines();
  Arg from = without_bits(x);
  const void* elements = from->memory();
  Arg d = made(from->type, count, from->bounds, "Replicate");
  void* to = d->allocate();
  state_->check(state_->plugin().select_if(state_->device(), bits_of(from->type) / 8, elements, bits, to, nullptr, mask->length),
                d->maker);
  return d;
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
