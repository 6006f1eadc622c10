#include "primitives/mapping/cell_compositions.h"

#include <algorithm>
#include <vector>

#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/mapping/cell_choices.h"
#include "primitives/mapping/cell_routes.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {
namespace {

constexpr int deepest = 16;

bool is_number_or_character(const Value& v) { return v.is_number() || v.is_character(); }

// What a part of the function is on every cell; the value is absent where there is no way.
struct Part {
  Value value;
  std::size_t frame = 0;  // axes of `value` that are the frame; 0 where all cells have the whole value
  bool atoms = false;     // a cell without axes is an atom and no unit
  std::size_t cell_rank() const { return rank_of(value) - frame; }
  bool is_constant() const { return frame == 0; }
  bool has_no_axes() const { return is_constant() || cell_rank() == 0; }
  bool has_atoms() const { return atoms && has_no_axes(); }
  bool is_known() const { return !value.is_absent(); }
};

// Evaluates a function on Parts instead of values.
class Composition {
 public:
  Composition(Context& cx, std::span<const std::size_t> frame) : cx_(cx), frame_(frame) {}

  // Finds what blocks in the function do. Gives false where it runs anything else than pure functions and blocks made of those.
  bool prepare(const Value& f, bool dyadic, int depth = deepest);
  // `w` is null where there is one argument.
  Part apply(const Value& f, const Part* w, const Part& x, int depth = deepest);
  void set_frame(std::span<const std::size_t> frame) { frame_ = Shape(frame); }

 private:
  // A block, and the train that it is equal to.
  struct Form {
    const Function* block = nullptr;
    bool dyadic = false;
    Value train;
  };
  const Value& form_of(const Value& f, bool dyadic) const;

  Part on_one(const PrimitiveFunctionEntry& p, const Value& f, const Part& x);
  Part on_two(const PrimitiveFunctionEntry& p, const Value& f, const Part& w, const Part& x);
  Part pervasive(const Value& f, const Part& w, const Part& x);
  Part derived(const Value& f, const Part& x, int depth);
  Part reduce(const Value& f, const Part& x);
  Part place_of_extreme(const Value& grade, const Part& x, int depth);
  Part on_inner_cells(const Value& f, std::size_t axes, const Part& x, int depth);
  Part choose(const Derived& d, const Part* w, const Part& x, int depth);
  Part one_of_each(const Part& index, const Part& rows);

  static Part constant(const Value& v) { return {v, 0, v.is_atom()}; }
  Part whole(Value value, bool atoms) const {
    if (!value.is_array() || value.array().length == 0 || !is_flat(value) || !has_plain_fill(value.array())) return {};
    return {std::move(value), frame_.size(), atoms};
  }

  Context& cx_;
  Shape frame_;
  static constexpr std::size_t most_forms = 8;
  Form forms_[most_forms];
  std::size_t form_count_ = 0;
};

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
  if (x.cell_rank() == 0 && !is_any(p.name, Glyph::reshape, Glyph::not_equal, Glyph::equal)) return {};
  // What is the same for all cells need not be sent to a device.
  if (p.one.of_atom == OfAtom::one && x.cell_rank() != 0 && cx_.device != nullptr && belongs_to_device(cx_, x.value))
    return constant(Value(static_cast<double>(shape_of(x.value)[x.frame])));
  Value shared = x.value;
  Value cells = cell_route(cx_, f, frame_.size(), shared);
  if (p.one.of_atom != OfAtom::unit || cells.is_absent()) return whole(std::move(cells), p.name != Glyph::select);
  // Boxes are the last result or none.
  cells.array().set_fill_kind(FillKind::of_first);
  return {std::move(cells), frame_.size(), false};
}

// Gives an array in a shape of as many elements. Where that is its own, the elements stay where they are.
Value in_shape(Context& cx, const Value& v, const Shape& shape) {
  return same_shape(shape_of(v), shape.view()) ? v : with_shape(cx.heap, v, shape);
}

// Folds or scans the rows that all cells are.
Part Composition::reduce(const Value& reducing, const Part& x) {
  const Derived& d = static_cast<const Derived&>(reducing.function());
  const Value& f = form_of(d.f, true);
  if (x.cell_rank() != 1 || !is_pervasive_dyad(f) || !is_numeric(x.value)) return {};
  const std::size_t row = shape_of(x.value).back();
  const Value table = in_shape(cx_, x.value, Shape{x.value.array().length / row, row});
  const Value rows = call(cx_, derive1(cx_, primitive(cx_, Glyph::cells), derive1(cx_, d.modifier, f)), table);
  Shape shape(frame_);
  if (reduces_by(reducing) == Reduces::scans) shape.push_back(row);
  if (!rows.is_array() || rows.array().length != product(shape)) return {};
  return whole(in_shape(cx_, rows, shape), reduces_by(reducing) == Reduces::folds);
}

// Finds where the least or greatest number of each row is, as ⊑⍋ and ⊑⍒ do: on a device, where that needs no order.
Part Composition::place_of_extreme(const Value& grade, const Part& x, int depth) {
  const PrimitiveFunctionEntry* const p = primitive_entry(grade);
  if (p == nullptr || p->one.orders != Orders::grades || cx_.device == nullptr || x.is_constant() || x.cell_rank() != 1 ||
      !is_numeric(x.value) || !belongs_to_device(cx_, x.value))
    return {};
  const Value fold = derive1(cx_, primitive(cx_, Glyph::fold), primitive(cx_, p->one.down ? Glyph::maximum : Glyph::minimum));
  const Part extreme = apply(fold, nullptr, x, depth - 1);
  if (!extreme.is_known()) return {};
  return whole(cx_.device->cells(cx_, Glyph::index_of, x.value, extreme.value, x.frame), true);
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

// Picks an atom of each row.
Part Composition::one_of_each(const Part& index, const Part& rows) {
  const std::size_t width = shape_of(rows.value).back(), length = product(frame_.view());
  const Value numbers = in_shape(cx_, index.value, Shape{length});
  if (!CellChoices(cx_, length).divide(numbers, width)) return {};
  const Value starts = multiply(cx_, Value(static_cast<double>(width)), range(cx_, Value(static_cast<double>(length))));
  const Value picked = select(cx_, add(cx_, starts, numbers), in_shape(cx_, rows.value, Shape{width * length}));
  return whole(in_shape(cx_, picked, Shape(frame_)), true);
}

Part Composition::on_two(const PrimitiveFunctionEntry& p, const Value& f, const Part& w, const Part& x) {
  if (passes_on(p)) return p.scalar == ScalarOp::left ? w : x;
  const bool atoms_of_w = w.frame != 0 && w.cell_rank() == 0, atoms_of_x = x.frame != 0 && x.cell_rank() == 0;
  const bool indexes = w.frame != 0 && x.is_constant() && is_numeric(w.value);
  const auto is_list_for_all = [](const Part& part) {
    return part.is_constant() && rank_of(part.value) == 1 && is_flat(part.value);
  };
  switch (p.name) {
    case Glyph::pick:
      if (indexes && rank_of(x.value) == 1 && is_flat(x.value))
        return atoms_of_w && w.atoms ? whole(select(cx_, w.value, x.value), true) : Part();
      if (atoms_of_w && w.atoms && is_numeric(w.value) && !x.is_constant() && x.cell_rank() == 1) return one_of_each(w, x);
      break;
    case Glyph::select:
      if (w.frame != 0 && x.is_constant() && rank_of(x.value) != 0)
        return indexes ? whole(select(cx_, w.value, x.value), false) : Part();
      break;
    case Glyph::index_of:
      if (w.frame != 0 && w.cell_rank() == 1 && atoms_of_x && cx_.device != nullptr && belongs_to_device(cx_, w.value))
        return whole(cx_.device->cells(cx_, p.name, w.value, x.value, frame_.size()), false);
      if (is_list_for_all(w) && atoms_of_x && x.atoms) return whole(call(cx_, f, w.value, x.value), false);
      if (atoms_of_w || atoms_of_x) return {};
      break;
    case Glyph::pair: {
      if (!w.has_atoms() || !x.has_atoms()) return {};
      const auto spread = [&](const Part& k) { return Part{filled(cx_.heap, frame_.view(), k.value), frame_.size(), true}; };
      if (w.is_constant()) return on_two(p, f, spread(w), x);
      if (x.is_constant()) return on_two(p, f, w, spread(x));
      break;
    }
    case Glyph::match:
    case Glyph::not_match:
      if (w.cell_rank() == 0 && x.cell_rank() == 0) return {};
      break;
    case Glyph::member:
      if (is_list_for_all(x) && atoms_of_w && w.atoms) return whole(call(cx_, f, w.value, x.value), false);
      [[fallthrough]];
    default:
      if ((atoms_of_w || atoms_of_x) && !is_any(p.name, Glyph::join, Glyph::couple)) return {};
  }
  Value left = w.value, right = x.value;
  const Value& same = p.name == Glyph::pair ? primitive(cx_, Glyph::couple) : f;
  Value cells = cell_route(cx_, same, w.frame, left, x.frame, right);
  // Boxes of numbers and characters are the last result or none.
  if (p.name == Glyph::join && !cells.is_absent() && !is_flat(cells)) return {std::move(cells), frame_.size(), false};
  return whole(std::move(cells), p.name != Glyph::select);
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
    if (w == nullptr && wiring.is_sequence() && name_of(*wiring.last) == Glyph::pick)
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

}  // namespace

bool may_be_composed(const Value& x, std::size_t frame) {
  constexpr std::size_t fewest_cells = 8;     // a call for each of fewer takes less than what all take together
  constexpr std::size_t longest_cell = 4096;  // longer ones are in a near cache for one step after the other
  const Array& a = x.array();
  if (a.type() == ElementType::boxed || a.length == 0 || !has_plain_fill(a)) return false;
  const std::size_t cells = product(a.shape().first(frame));
  return cells >= fewest_cells && a.length / cells <= longest_cell;
}

Value composed_cells(Context& cx, const Value& f, std::size_t frame, const Value& x) {
  if (cx.general_ways) return Value();
  if (!f.is_function() || (f.function().kind != ObjectKind::train && f.function().kind != ObjectKind::derived)) return Value();
  // One that stands alone has no way but its calls, where those of cell_route() have been tried.
  if (reduces_by(f) != Reduces::no) return Value();
  // On a device all cells at once are best, however few or long they are.
  const bool is_there = cx.device != nullptr && belongs_to_device(cx, x) && is_flat(x) && x.array().length != 0;
  if (is_there ? !has_plain_fill(x.array()) : !may_be_composed(x, frame)) return Value();
  return result_or_absent([&] {
    Composition composition(cx, x.array().shape().first(frame));
    if (!composition.prepare(f, false)) return Value();
    Part result = composition.apply(f, nullptr, {x, frame, false});
    return result.is_constant() ? Value() : std::move(result.value);
  });
}

Value composed_elements(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  constexpr std::size_t fewest = 32;
  const auto fits = [&](const Value& v) {
    return v.is_array() && v.array().length >= fewest && is_flat(v) && has_plain_fill(v.array()) &&
           (cx.device == nullptr || !belongs_to_device(cx, v));
  };
  const bool dyadic = !w.is_absent();
  if (!f.is_function() || f.function().kind == ObjectKind::primitive_function) return Value();
  // One of two arguments may be an atom, which all elements of the other meet.
  const Value& frame = dyadic && is_number_or_character(x) ? w : x;
  if (!fits(frame) || rank_of(frame) == 0) return Value();
  const std::size_t rank = rank_of(frame);
  const auto part_of = [&](const Value& v) { return Part{v, is_number_or_character(v) ? 0 : rank, true}; };
  const auto meets = [&](const Value& v) {
    return is_number_or_character(v) || (fits(v) && same_shape(shape_of(v), shape_of(frame)));
  };
  if (!meets(x) || (dyadic && !meets(w))) return Value();
  return result_or_absent([&] {
    const Part left = dyadic ? part_of(w) : Part();
    Composition composition(cx, shape_of(frame));
    if (!composition.prepare(f, dyadic)) return Value();
    Part result = composition.apply(f, dyadic ? &left : nullptr, part_of(x));
    return !result.is_constant() && result.has_atoms() ? std::move(result.value) : Value();
  });
}

namespace {

constexpr std::size_t fewest_lists = 16;

bool is_composed(const Value& f) { return f.is_function() && f.function().kind != ObjectKind::primitive_function; }
// Tells whether a value is a list of lists, of which some that are looked at are flat and equally long.
bool is_list_of_lists(const Value& v) {
  if (!v.is_array() || !v.array().is_list() || v.array().type() != ElementType::boxed || v.array().length == 0) return false;
  const std::span<const Value> elements = v.array().boxes();
  const auto is_alike = [&](const Value& e) {
    return rank_of(e) == 1 && e.array().type() != ElementType::boxed && e.array().length == length_of(elements[0]);
  };
  const std::size_t step = elements.size() / 8 + 1;
  for (std::size_t i = 0; i < elements.size(); i += step)
    if (!is_alike(elements[i])) return false;
  return is_alike(elements.back());
}

// Gives all of a list of equally long lists as cells, or what a unit holds as a constant; false for anything else.
bool as_part(Context& cx, const Value& v, Part& part) {
  if (v.is_atom())
    part = {v, 0, true};
  else if (rank_of(v) == 0)
    part = {element(v.array(), 0), 0, true};
  else if (is_list_of_lists(v))
    part = {merge_plainly(cx, v), 1};
  if (part.value.is_absent() || !is_flat(part.value) || length_of(part.value) == 0) return false;
  part.atoms = part.is_constant() && part.value.is_atom();
  return true;
}

// Computes on parts, and gives the results as cells of the shape of the first one, which is called for: an atom or a list.
Value results_of(Composition& composition, const Value& f, std::span<const std::size_t> frame, const Part* w, const Part& x,
                 const Value& first) {
  composition.set_frame(frame);
  Part result = composition.apply(f, w, x);
  if (result.is_constant() || result.cell_rank() != rank_of(first) || (first.is_atom() && !result.atoms)) return Value();
  return result.value.array().length == product(frame) * length_of(first) ? std::move(result.value) : Value();
}

bool is_filled_flat_list(const Value& v) {
  return rank_of(v) == 1 && v.array().length != 0 && is_flat(v) && has_plain_fill(v.array());
}

}  // namespace

Value composed_lists(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  const bool dyadic = !w.is_absent();
  const auto is_frame = [](const Value& v) { return v.is_array() && v.array().length >= fewest_lists && is_list_of_lists(v); };
  if (!(is_composed(f) || (!dyadic && puts_in_order(f))) || cx.device != nullptr) return Value();
  const bool by_x = is_frame(x);
  if (!by_x && !(dyadic && is_frame(w))) return Value();
  const Array& list = (by_x ? x : w).array();
  if (length_of(list.boxes()[0]) > tuning().longest_merged_list) return Value();
  const auto meets = [&](const Value& v) { return rank_of(v) == 0 || v.array().length == list.length; };
  if (!meets(x) || (dyadic && !meets(w))) return Value();
  return result_or_absent([&] {
    const std::size_t frame[] = {list.length};
    Composition composition(cx, frame);
    if (!composition.prepare(f, dyadic)) return Value();
    Part left, right;
    const auto first_of = [](const Value& v) { return v.is_atom() ? v : element(v.array(), 0); };
    const Value first = dyadic ? call(cx, f, first_of(w), first_of(x)) : call(cx, f, first_of(x));
    const bool lists = is_filled_flat_list(first);
    if (!(lists || is_number_or_character(first)) || !as_part(cx, x, right) || (dyadic && !as_part(cx, w, left))) return Value();
    const Value all = results_of(composition, f, frame, dyadic ? &left : nullptr, right, first);
    if (!lists || all.is_absent()) return all;
    return call(cx, derive1(cx, primitive(cx, Glyph::cells), primitive(cx, Glyph::less)), all);
  });
}

namespace {

// Puts equally wide pieces of a table one below the other.
Value stacked(Context& cx, std::span<const Value> pieces, std::size_t rows, std::size_t columns) {
  if (pieces.size() == 1) return pieces[0];
  ElementType type = pieces[0].array().type();
  for (const Value& piece : pieces) type = common_type(type, piece.array().type());
  if (type == ElementType::boxed) return Value();
  Ref<Array> table = make_array(cx.heap, type, Shape{rows, columns});
  std::size_t at = 0;
  for (const Value& piece : pieces) {
    copy_elements(*table, at, piece.array(), 0, piece.array().length);
    at += piece.array().length;
  }
  return to_value(std::move(table));
}

}  // namespace

Value composed_table(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  if (!is_composed(f) || cx.device != nullptr || !w.is_array() || !x.is_array()) return Value();
  const std::size_t rows = w.array().length, columns = x.array().length;
  if (rows * columns < fewest_lists || !is_list_of_lists(w) || !is_list_of_lists(x)) return Value();
  return result_or_absent([&] {
    Composition composition(cx, {});
    Part left, right;
    if (!composition.prepare(f, true) || !as_part(cx, w, left) || !as_part(cx, x, right)) return Value();
    const Value sample = call(cx, f, w.array().boxes()[0], x.array().boxes()[0]);
    if (!is_number_or_character(sample)) return Value();
    // As many rows at a time as stay in a near cache.
    constexpr std::size_t near = 16384;
    const std::size_t length = left.value.array().cell_length(), longest = std::max(length, right.value.array().cell_length());
    const std::size_t at_once = std::clamp<std::size_t>(near / (columns * longest), 1, rows);
    std::vector<Value> pieces;
    for (std::size_t i = 0; i < rows; i += at_once) {
      cx.check_interrupt();
      const std::size_t frame[] = {std::min(at_once, rows - i), columns};
      const Value some = slice(cx.heap, left.value, i * length, Shape{frame[0], length});
      const Part repeated{broadcast_cells(cx, some, 1, {frame + 1, 1}), 2};
      const Part whole{broadcast_cells(cx, right.value, 0, {frame, 1}), 2};
      const Value first = i == 0 ? sample : call(cx, f, w.array().boxes()[i], x.array().boxes()[0]);
      pieces.push_back(results_of(composition, f, frame, &repeated, whole, first));
      if (pieces.back().is_absent()) return Value();
    }
    return stacked(cx, pieces, rows, columns);
  });
}

}  // namespace griddle::primitives
