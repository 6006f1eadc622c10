#include "primitives/mapping/composition.h"
#include "primitives/common/by_door.h"

#include <algorithm>

#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "primitives/mapping/cell_choices.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

const Value& Composition::form_of(const Value& f, bool dyadic) const {
  if (!f.is_function() || f.function().kind != ObjectKind::block_function) return f;
  const std::span<const Form> forms(forms_, form_count_);
  const auto form =
      std::ranges::find_if(forms, [&](const Form& known) { return known.block == &f.function() && known.dyadic == dyadic; });
  return form == forms.end() ? f : form->train;
}

bool Composition::prepare(const Value& f, bool dyadic, int depth) {
  if (!f.is_function()) return !f.is_modifier();
  if (f.function().is_pure()) return true;
  if (depth == 0) return false;
  if (f.function().kind == ObjectKind::block_function) {
    Value train = composed_by_block(cx_, f, dyadic, true);
    if (train.is_absent() || form_count_ == most_forms) return false;
    forms_[form_count_++] = {&f.function(), dyadic, std::move(train)};
    return true;
  }
  if (const Wiring wiring = wiring_of(f, dyadic)) {
    const auto part = [&](const Value& g, const bool* w, bool) { return prepare(g, w != nullptr, depth - 1); };
    return follow(wiring, dyadic ? &dyadic : nullptr, true, part, [](bool known) { return known; });
  }
  const Applies applies = applies_by(f);
  if (applies == Applies::to_tell_choice) {
    const Derived& d = static_cast<const Derived&>(f.function());
    if (!d.g.is_array() || !prepare(d.f, dyadic, depth - 1)) return false;
    for (std::size_t k = 0; k < d.g.array().length; k++)
      if (!prepare(element(d.g.array(), k), dyadic, depth - 1)) return false;
    return true;
  }
  const bool on_cells = is_any(applies, Applies::to_cells, Applies::to_ranks);
  if (!on_cells && reduces_by(f) == Reduces::no) return false;
  const Derived& d = static_cast<const Derived&>(f.function());
  return (d.g.is_absent() || !d.g.is_operation()) && prepare(d.f, on_cells ? dyadic : true, depth - 1);
}

Part Composition::on_one(const PrimitiveFunctionEntry& p, const Value& f, const Part& x) {
  if (passes_on(p)) return whole(x.value, x.atoms);
  if (x.cell_rank() == 0 && p.one.of_atom == OfAtom::itself) return whole(x.value, true);
  if (x.cell_rank() == 0 && (p.one.moves == Moves::no || !is_any(p.one.of_atom, OfAtom::list, OfAtom::zero, OfAtom::one)))
    return {};
  // What is the same for all cells need not be sent to a device.
  if (p.one.of_atom == OfAtom::one && x.cell_rank() != 0 && belongs_to_device(cx_, x.value))
    return constant(Value(static_cast<double>(shape_of(x.value)[x.frame])));
  Value shared = x.value;
  Value cells = cell_route(cx_, f, frame_.size(), shared);
  // What selects a part of an array, but is nothing that an atom has, gives units.
  if (p.one.of_atom != OfAtom::unit || cells.is_absent())
    return whole(std::move(cells), !p.one.selects || p.one.of_atom != OfAtom::unknown);
  // Boxes are the last result or none.
  cells.array().set_fill_kind(FillKind::of_first);
  return {std::move(cells), frame_.size(), false};
}

// Gives an array in a shape of as many elements. Where that is its own, the elements stay where they are.
static Value in_shape(Context& cx, const Value& v, const Shape& shape) {
  return same_shape(shape_of(v), shape.view()) ? v : with_shape(cx.heap, v, shape);
}

// Folds or scans the rows that all cells are.
Part Composition::reduce(const Value& reducing, const Part& x) {
  const Derived& d = static_cast<const Derived&>(reducing.function());
  const Value& f = form_of(d.f, true);
  if (x.cell_rank() > 1 && reduces_by(reducing) == Reduces::inserts && belongs_to_device(cx_, x.value)) {
    Value cells = x.value;
    return whole(cell_route(cx_, reducing, frame_.size(), cells), false);
  }
  if (x.cell_rank() != 1 || !is_pervasive_dyad(f) || !is_numeric(x.value)) return {};
  const std::size_t row = shape_of(x.value).back();
  const Value table = in_shape(cx_, x.value, Shape{x.value.array().length / row, row});
  const Value by_row = &f == &d.f ? reducing : derive1(cx_, d.modifier, f);
  const Value rows = call(cx_, derived_by<cells_monad>(cx_, by_row), table);
  Shape shape(frame_);
  if (reduces_by(reducing) == Reduces::scans) shape.push_back(row);
  if (!rows.is_array() || rows.array().length != product(shape)) return {};
  return whole(in_shape(cx_, rows, shape), reduces_by(reducing) == Reduces::folds);
}

// Finds where the least or greatest number of each row is, as ⊑⍋ and ⊑⍒ do: on a device, where that needs no order.
Part Composition::place_of_extreme(const Value& grade, const Part& x, int depth) {
  const PrimitiveFunctionEntry* const p = primitive_entry(grade);
  if (p == nullptr || p->one.orders != Orders::grades || x.is_constant() || x.cell_rank() != 1 || !is_numeric(x.value) ||
      !belongs_to_device(cx_, x.value))
    return {};
  const Value fold = derived_by<fold_monad>(cx_, p->one.down ? primitive_by<maximum>(cx_) : primitive_by<minimum>(cx_));
  const Part extreme = apply(fold, nullptr, x, depth - 1);
  if (!extreme.is_known()) return {};
  return whole(cx_.device->cells(cx_, entry_by<index_of>().name, x.value, extreme.value, x.frame), true);
}

Part Composition::on_inner_cells(const Value& f, std::size_t axes, const Part& x, int depth) {
  if (axes == 0) {
    Part result = apply(f, nullptr, x, depth);
    result.atoms = false;
    return result;
  }
  const Shape frame(frame_);
  set_frame(shape_of(x.value).first(frame.size() + axes));
  Part cells = apply(f, nullptr, {x.value, frame_.size(), false}, depth);
  set_frame(frame.view());
  return cells.is_constant() ? Part() : whole(std::move(cells.value), false);
}

Part Composition::derived(const Value& f, const Part& x, int depth) {
  if (reduces_by(f) != Reduces::no) return reduce(f, x);
  const Derived& d = static_cast<const Derived&>(f.function());
  switch (applies_by(f)) {
    case Applies::to_cells: return x.cell_rank() == 0 ? Part() : on_inner_cells(d.f, 1, x, depth);
    case Applies::to_ranks: {
      if (!d.g.is_number()) return {};
      const double k = d.g.number(), rank = static_cast<double>(x.cell_rank());
      if (k != k || k != static_cast<double>(static_cast<int>(std::clamp(k, -99.0, 99.0)))) return {};
      return on_inner_cells(d.f, static_cast<std::size_t>(k < 0 ? std::min(-k, rank) : rank - std::min(k, rank)), x, depth);
    }
    default: return {};
  }
}

Part Composition::pervasive(const Value& f, const Part& w, const Part& x) {
  const bool atoms = w.atoms && x.atoms;
  if (!is_flat(w.value) || !is_flat(x.value)) return {};
  if (!w.is_constant() && !x.is_constant()) return whole(call(cx_, f, w.value, x.value), atoms);
  const Part& alone = w.is_constant() ? w : x;
  if (rank_of(alone.value) == 0) return whole(call(cx_, f, w.value, x.value), atoms);
  // All cells meet one array, if that leads to no more than what may stay in a near cache.
  constexpr std::size_t most = 65536;
  if (length_of(alone.value) > most / product(frame_.view())) return {};
  Value repeated = broadcast_cells(cx_, alone.value, 0, frame_.view(), w.is_constant() ? x.value : w.value);
  return whole(w.is_constant() ? call(cx_, f, std::move(repeated), x.value) : call(cx_, f, w.value, std::move(repeated)), false);
}

// Computes ◶: divides the cells by their index, and calls each choice with those that take it.
Part Composition::choose(const Derived& d, const Part* w, const Part& x, int depth) {
  if (!d.g.is_array() || !d.g.array().is_list() || !x.has_no_axes() || (w != nullptr && !w->has_no_axes())) return {};
  const Array& choices = d.g.array();
  const Part index = apply(d.f, w, x, depth);
  if (!index.is_known() || !index.has_atoms() || !is_numeric(index.value)) return {};
  if (index.is_constant()) {
    std::int64_t k;
    const bool is_choice = index.value.to_integer(k) && k >= 0 && k < static_cast<std::int64_t>(choices.length);
    return is_choice ? apply(element(choices, static_cast<std::size_t>(k)), w, x, depth) : Part();
  }
  const Shape frame(frame_);
  const std::size_t length = product(frame.view());
  CellChoices parts(cx_, length);
  if (!parts.divide(in_shape(cx_, index.value, Shape{length}), choices.length)) return {};
  const auto taken_by = [&](std::size_t k, const Part& all) -> Part {
    if (all.is_constant()) return all;
    return {parts.taken_by(k, in_shape(cx_, all.value, Shape{length})), 1, all.atoms};
  };
  Value results[CellChoices::most];
  for (std::size_t k = 0; k < choices.length; k++) {
    if (parts.count(k) == 0) continue;
    const Value choice = element(choices, k);
    if (parts.is_only(k)) return apply(choice, w, x, depth);
    const std::size_t taken = parts.count(k);
    set_frame({&taken, 1});
    const Part left = w == nullptr ? Part() : taken_by(k, *w);
    Part result = apply(choice, w == nullptr ? nullptr : &left, taken_by(k, x), depth);
    set_frame(frame.view());
    if (!result.is_known() || !result.has_atoms()) return {};
    results[k] = std::move(result.value);
  }
  const Value all = parts.merged({results, choices.length});
  return all.is_absent() ? Part() : whole(in_shape(cx_, all, frame), true);
}

Value Composition::routed(const Value& f, const Part& w, const Part& x) const {
  Value left = w.value, right = x.value;
  return cell_route(cx_, f, w.frame, left, x.frame, right);
}

Part Composition::on_two(const PrimitiveFunctionEntry& p, const Value& f, const Part& w, const Part& x) {
  if (passes_on(p)) return p.scalar == ScalarOp::left ? w : x;
  if (p.on_parts != nullptr) return p.on_parts(*this, f, w, x);
  return w.is_atoms() || x.is_atoms() ? Part() : whole(routed(f, w, x), true);
}

Part Composition::apply(const Value& given, const Part* w, const Part& x, int depth) {
  const Value& f = form_of(given, w != nullptr);
  if (f.is_modifier() || depth == 0) return {};
  if (!f.is_function()) return constant(f);
  const bool pure = f.function().is_pure();
  if (pure && x.is_constant() && (w == nullptr || w->is_constant()))
    return constant(w == nullptr ? call(cx_, f, x.value) : call(cx_, f, w->value, x.value));
  const auto usable = [](const Part& part) { return part.is_constant() || is_flat(part.value); };
  if (!usable(x) || (w != nullptr && !usable(*w))) return {};
  if (w != nullptr && is_pervasive_dyad(f)) return pervasive(f, *w, x);
  if (w == nullptr && is_pervasive(f)) return whole(call(cx_, f, x.value), x.atoms);
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) return w == nullptr ? on_one(*p, f, x) : on_two(*p, f, *w, x);
  if (const Wiring wiring = wiring_of(f, w != nullptr)) {
    if (w == nullptr && wiring.is_sequence() && is_pick(*wiring.last))
      if (Part place = place_of_extreme(*wiring.right.by, x, depth); place.is_known()) return place;
    const auto part = [&](const Value& g, const Part* left, const Part& right) { return apply(g, left, right, depth - 1); };
    return follow(wiring, w, x, part, [](const Part& known) { return known.is_known(); });
  }
  if (modifier_of(f) == Glyph::none) return {};
  const Derived& d = static_cast<const Derived&>(f.function());
  if (const Value* k = constant_of(f)) return constant(*k);
  if (applies_by(f) == Applies::to_tell_choice) return choose(d, w, x, depth - 1);
  return w == nullptr && !x.is_constant() ? derived(f, x, depth - 1) : Part();
}

// --- primitives

namespace {

bool is_list_for_all(const Part& part) { return part.is_constant() && rank_of(part.value) == 1 && is_flat(part.value); }
bool indexes(const Part& w, const Part& x) { return !w.is_constant() && x.is_constant() && is_numeric(w.value); }

// Picks an atom of each row.
Part one_of_each(const Composition& c, const Part& index, const Part& rows) {
  Context& cx = c.context();
  const std::size_t width = shape_of(rows.value).back(), length = product(c.frame().view());
  const Value numbers = in_shape(cx, index.value, Shape{length});
  if (!CellChoices(cx, length).divide(numbers, width)) return {};
  const Value starts = multiply(cx, Value(static_cast<double>(width)), range(cx, Value(static_cast<double>(length))));
  const Value picked = select(cx, add(cx, starts, numbers), in_shape(cx, rows.value, Shape{width * length}));
  return c.whole(in_shape(cx, picked, c.frame()), true);
}

}  // namespace

Part pick_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  Context& cx = c.context();
  const bool by_atoms = w.is_atoms() && w.atoms;
  if (indexes(w, x) && rank_of(x.value) == 1 && is_flat(x.value))
    return by_atoms ? c.whole(select(cx, w.value, x.value), true) : Part();
  if (by_atoms && is_numeric(w.value) && !x.is_constant() && x.cell_rank() == 1) return one_of_each(c, w, x);
  return c.whole(c.routed(f, w, x), true);
}
Part select_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  if (!w.is_constant() && x.is_constant() && rank_of(x.value) != 0)
    return indexes(w, x) ? c.whole(select(c.context(), w.value, x.value), false) : Part();
  return c.whole(c.routed(f, w, x), false);
}
Part index_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  Context& cx = c.context();
  if (!w.is_constant() && w.cell_rank() == 1 && x.is_atoms() && belongs_to_device(cx, w.value))
    return c.whole(cx.device->cells(cx, name_of(f), w.value, x.value, c.frame().size()), false);
  if (is_list_for_all(w) && x.is_atoms() && x.atoms) return c.whole(call(cx, f, w.value, x.value), false);
  return w.is_atoms() || x.is_atoms() ? Part() : c.whole(c.routed(f, w, x), true);
}
Part pair_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  Context& cx = c.context();
  if (!w.has_atoms() || !x.has_atoms()) return {};
  const auto spread = [&](const Part& k) { return Part{filled(cx.heap, c.frame().view(), k.value), c.frame().size(), true}; };
  if (w.is_constant()) return pair_parts(c, f, spread(w), x);
  if (x.is_constant()) return pair_parts(c, f, w, spread(x));
  return c.whole(c.routed(primitive_by<couple>(cx), w, x), true);
}
Part match_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  return w.cell_rank() == 0 && x.cell_rank() == 0 ? Part() : c.whole(c.routed(f, w, x), true);
}
Part member_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  if (is_list_for_all(x) && w.is_atoms() && w.atoms) return c.whole(call(c.context(), f, w.value, x.value), false);
  return w.is_atoms() || x.is_atoms() ? Part() : c.whole(c.routed(f, w, x), true);
}
// Boxes of numbers and characters are the last result or none.
Part join_parts(Composition& c, const Value& f, const Part& w, const Part& x) {
  Value cells = c.routed(f, w, x);
  if (is_boxed(cells)) return {std::move(cells), c.frame().size(), false};
  return c.whole(std::move(cells), true);
}
Part couple_parts(Composition& c, const Value& f, const Part& w, const Part& x) { return c.whole(c.routed(f, w, x), true); }

}  // namespace griddle::primitives
