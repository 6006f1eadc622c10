#include "primitives/mapping/cell_compositions.h"

#include <algorithm>
#include <vector>

#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/functions.h"
#include "primitives/mapping/cell_routes.h"
#include "runtime/value/fill.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {
namespace {

constexpr int deepest = 16;

// What a part of the function is on every cell.
struct Part {
  Value value;
  std::size_t frame;   // axes of `value` that are the frame; 0 where all cells have the whole value
  bool atoms = false;  // a cell without axes is an atom and no unit
  std::size_t cell_rank() const { return rank_of(value) - frame; }
  bool is_constant() const { return frame == 0; }
};

// Evaluates on Parts instead of values. Each step gives false where there is no way.
class Composition {
 public:
  Composition(Context& cx, std::span<const std::size_t> frame) : cx_(cx), frame_(frame) {}

  bool one(const Value& f, const Part& x, Part& result, int depth);
  bool two(const Value& f, const Part& w, const Part& x, Part& result, int depth);

 private:
  bool one_primitive(const Value& f, const Part& x, Part& result);
  bool two_primitive(const Value& f, const Part& w, const Part& x, Part& result);
  bool pervasive_two(const Value& f, const Part& w, const Part& x, Part& result);
  bool one_derived(const Derived& d, char32_t glyph, const Value& f, const Part& x, Part& result, int depth);
  bool reduce(const Value& f, bool fold, const Part& x, Part& result);
  bool on_inner_cells(const Value& f, std::size_t axes, const Part& x, Part& result, int depth);

  bool constant(const Value& v, Part& result) {
    result = {v, 0, v.is_atom()};
    return true;
  }
  bool whole(Value value, bool atoms, Part& result) {
    if (value.is_absent() || !value.is_array() || value.array().length == 0 || !is_flat(value) || !has_plain_fill(value.array()))
      return false;
    result = {std::move(value), frame_.size(), atoms};
    return true;
  }

  Context& cx_;
  Shape frame_;
};

bool Composition::one_primitive(const Value& f, const Part& x, Part& result) {
  const char32_t glyph = glyph_of(f);
  Value shared = x.value;
  if (x.cell_rank() == 0) {
    if (glyph != U'⊢' && glyph != U'⊣' && glyph != U'⥊' && glyph != U'≠' && glyph != U'=') return false;
    if (glyph == U'⊢' || glyph == U'⊣') return whole(std::move(shared), x.atoms, result);
  }
  if (glyph == U'<') return false;
  return whole(cell_route(cx_, f, frame_.size(), shared), glyph != U'⊏', result);
}

// Folds or scans the rows that all cells are.
bool Composition::reduce(const Value& f, bool fold, const Part& x, Part& result) {
  const Derived& d = static_cast<const Derived&>(f.function());
  if (x.cell_rank() != 1 || !is_pervasive_dyad(d.f) || !is_numeric(x.value)) return false;
  const std::size_t row = shape_of(x.value).back();
  const Value table = with_shape(cx_.heap, x.value, Shape{x.value.array().length / row, row});
  const Value rows = call(cx_, derive1(cx_, primitive(cx_, U'˘'), f), table);
  Shape shape(frame_);
  if (!fold) shape.push_back(row);
  if (!rows.is_array() || rows.array().length != product(shape)) return false;
  return whole(with_shape(cx_.heap, rows, shape), glyph_of(d.modifier) == U'´', result);
}

bool Composition::on_inner_cells(const Value& f, std::size_t axes, const Part& x, Part& result, int depth) {
  if (axes == 0) {
    if (!one(f, x, result, depth)) return false;
    result.atoms = false;
    return true;
  }
  const std::size_t frame = frame_.size() + axes;
  Composition inner(cx_, shape_of(x.value).first(frame));
  Part cells;
  if (!inner.one(f, {x.value, frame, false}, cells, depth) || cells.is_constant()) return false;
  return whole(std::move(cells.value), false, result);
}

bool Composition::one_derived(const Derived& d, char32_t glyph, const Value& f, const Part& x, Part& result, int depth) {
  Part inner;
  switch (glyph) {
    case U'˙': return constant(d.f, result);
    case U'˜': return two(d.f, x, x, result, depth);
    case U'∘':
    case U'○': return one(d.g, x, inner, depth) && one(d.f, inner, result, depth);
    case U'⊸': return one(d.f, x, inner, depth) && two(d.g, inner, x, result, depth);
    case U'⟜': return one(d.g, x, inner, depth) && two(d.f, x, inner, result, depth);
    case U'⊘': return one(d.f, x, result, depth);
    case U'´':
    case U'˝': return reduce(f, true, x, result);
    case U'`': return reduce(f, false, x, result);
    case U'˘': return x.cell_rank() != 0 && on_inner_cells(d.f, 1, x, result, depth);
    case U'⎉': {
      if (!d.g.is_number()) return false;
      const double k = d.g.number(), rank = static_cast<double>(x.cell_rank());
      if (k != k || k != static_cast<double>(static_cast<int>(std::clamp(k, -99.0, 99.0)))) return false;
      return on_inner_cells(d.f, static_cast<std::size_t>(k < 0 ? std::min(-k, rank) : rank - std::min(k, rank)), x, result,
                            depth);
    }
    default: return false;
  }
}

bool Composition::one(const Value& f, const Part& x, Part& result, int depth) {
  if (f.is_modifier() || depth == 0) return false;
  if (!f.is_function()) return constant(f, result);
  if (x.is_constant()) return constant(call(cx_, f, x.value), result);
  if (!is_flat(x.value)) return false;
  if (is_pervasive(f)) return whole(call(cx_, f, x.value), x.atoms, result);
  depth--;
  if (f.function().kind == ObjectKind::primitive_function) return one_primitive(f, x, result);
  if (f.function().kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f.function());
    Part left, right;
    if (!one(t.h, x, right, depth)) return false;
    if (t.f.is_absent()) return one(t.g, right, result, depth);
    return one(t.f, x, left, depth) && two(t.g, left, right, result, depth);
  }
  const char32_t glyph = modifier_glyph(f);
  return glyph != 0 && one_derived(static_cast<const Derived&>(f.function()), glyph, f, x, result, depth);
}

bool Composition::pervasive_two(const Value& f, const Part& w, const Part& x, Part& result) {
  const bool atoms = w.atoms && x.atoms;
  if (!is_flat(w.value) || !is_flat(x.value)) return false;
  if (!w.is_constant() && !x.is_constant()) return whole(call(cx_, f, w.value, x.value), atoms, result);
  const Part& alone = w.is_constant() ? w : x;
  if (rank_of(alone.value) == 0) return whole(call(cx_, f, w.value, x.value), atoms, result);
  // All cells meet one array, if that leads to no more than what may stay in a near cache.
  constexpr std::size_t most = 65536;
  if (length_of(alone.value) > most / product(frame_.view())) return false;
  Value repeated = broadcast_cells(cx_, alone.value, 0, frame_.view(), w.is_constant() ? x.value : w.value);
  return whole(w.is_constant() ? call(cx_, f, std::move(repeated), x.value) : call(cx_, f, w.value, std::move(repeated)), false,
               result);
}

bool Composition::two_primitive(const Value& f, const Part& w, const Part& x, Part& result) {
  const char32_t glyph = glyph_of(f);
  const bool indexes = w.frame != 0 && x.is_constant() && rank_of(x.value) == 1 && is_numeric(w.value) && is_flat(x.value);
  switch (glyph) {
    case U'⊣': result = w; return true;
    case U'⊢': result = x; return true;
    case U'⊑':
      if (indexes) return w.cell_rank() == 0 && w.atoms && whole(select(cx_, w.value, x.value), true, result);
      break;
    case U'⊏':
      if (w.frame != 0 && x.is_constant() && rank_of(x.value) != 0)
        return is_numeric(w.value) && whole(select(cx_, w.value, x.value), false, result);
      break;
    case U'⋈':
      if (w.is_constant() || x.is_constant() || w.cell_rank() != 0 || x.cell_rank() != 0 || !w.atoms || !x.atoms) return false;
      break;
    case U'≡':
    case U'≢':
      if (w.cell_rank() == 0 && x.cell_rank() == 0) return false;
      break;
    default:
      if (w.frame != 0 && w.cell_rank() == 0 && glyph != U'∾' && glyph != U'≍') return false;
      if (x.frame != 0 && x.cell_rank() == 0 && glyph != U'∾' && glyph != U'≍') return false;
  }
  Value left = w.value, right = x.value;
  const Value& same = glyph == U'⋈' ? primitive(cx_, U'≍') : f;
  Value cells = cell_route(cx_, same, w.frame, left, x.frame, right);
  // Boxes, which joining numbers with characters makes, are the last result or none.
  if (glyph == U'∾' && !cells.is_absent() && !is_flat(cells)) {
    result = {std::move(cells), frame_.size(), false};
    return true;
  }
  return whole(std::move(cells), glyph != U'⊏', result);
}

bool Composition::two(const Value& f, const Part& w, const Part& x, Part& result, int depth) {
  if (f.is_modifier() || depth == 0) return false;
  if (!f.is_function()) return constant(f, result);
  if (w.is_constant() && x.is_constant()) return constant(call(cx_, f, w.value, x.value), result);
  if ((!w.is_constant() && !is_flat(w.value)) || (!x.is_constant() && !is_flat(x.value))) return false;
  if (is_pervasive_dyad(f)) return pervasive_two(f, w, x, result);
  depth--;
  if (f.function().kind == ObjectKind::primitive_function) return two_primitive(f, w, x, result);
  Part left, right;
  if (f.function().kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f.function());
    if (!two(t.h, w, x, right, depth)) return false;
    if (t.f.is_absent()) return one(t.g, right, result, depth);
    return two(t.f, w, x, left, depth) && two(t.g, left, right, result, depth);
  }
  const char32_t glyph = modifier_glyph(f);
  if (glyph == 0) return false;
  const Derived& d = static_cast<const Derived&>(f.function());
  switch (glyph) {
    case U'˙': return constant(d.f, result);
    case U'˜': return two(d.f, x, w, result, depth);
    case U'∘': return two(d.g, w, x, right, depth) && one(d.f, right, result, depth);
    case U'○': return one(d.g, x, right, depth) && one(d.g, w, left, depth) && two(d.f, left, right, result, depth);
    case U'⊸': return one(d.f, w, left, depth) && two(d.g, left, x, result, depth);
    case U'⟜': return one(d.g, x, right, depth) && two(d.f, w, right, result, depth);
    case U'⊘': return two(d.g, w, x, result, depth);
    default: return false;
  }
}

// Gives a pure function for one that is composed of such and of blocks which only compute; absent where there is none.
Value without_blocks(Context& cx, const Value& f, bool dyadic, int depth) {
  if (!f.is_function()) return f.is_modifier() ? Value() : f;
  if (f.function().is_pure()) return f;
  if (--depth == 0) return Value();
  if (f.function().kind == ObjectKind::block_function) return composed_by_block(cx, f, dyadic);
  if (f.function().kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f.function());
    Value h = without_blocks(cx, t.h, dyadic, depth), g = without_blocks(cx, t.g, !t.f.is_absent(), depth);
    if (h.is_absent() || g.is_absent()) return Value();
    if (t.f.is_absent()) return make_atop(cx, std::move(g), std::move(h));
    Value left = without_blocks(cx, t.f, dyadic, depth);
    return left.is_absent() ? left : make_fork(cx, std::move(left), std::move(g), std::move(h));
  }
  const char32_t glyph = modifier_glyph(f);
  if (glyph == 0) return Value();
  const Derived& d = static_cast<const Derived&>(f.function());
  const auto derived1 = [&](bool two) {
    Value one = without_blocks(cx, d.f, two, depth);
    return one.is_absent() ? one : derive1(cx, d.modifier, std::move(one));
  };
  const auto derived2 = [&](bool left_two, bool right_two) {
    Value left = without_blocks(cx, d.f, left_two, depth), right = without_blocks(cx, d.g, right_two, depth);
    return left.is_absent() || right.is_absent() ? Value() : derive2(cx, d.modifier, std::move(left), std::move(right));
  };
  switch (glyph) {
    case U'˜':
    case U'´':
    case U'˝':
    case U'`': return derived1(true);
    case U'˘': return derived1(dyadic);
    case U'⎉': return derived2(dyadic, false);
    case U'∘': return derived2(false, dyadic);
    case U'○': return derived2(dyadic, false);
    case U'⊸': return derived2(false, true);
    case U'⟜': return derived2(true, false);
    default: return Value();
  }
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
  if (const char32_t glyph = modifier_glyph(f); glyph == U'´' || glyph == U'˝' || glyph == U'`') return Value();
  if (!may_be_composed(x, frame) || (cx.device != nullptr && belongs_to_device(cx, x))) return Value();
  return result_or_absent([&] {
    const Value pure = without_blocks(cx, f, false, deepest);
    if (pure.is_absent()) return Value();
    Part result;
    Composition composition(cx, x.array().shape().first(frame));
    const bool known = composition.one(pure, {x, frame, false}, result, deepest) && !result.is_constant();
    return known ? std::move(result.value) : Value();
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
  if (!f.is_function() || f.function().kind == ObjectKind::primitive_function || !fits(x) || rank_of(x) == 0) return Value();
  if (dyadic && (!fits(w) || !same_shape(shape_of(w), shape_of(x)))) return Value();
  return result_or_absent([&] {
    const Value pure = without_blocks(cx, f, dyadic, deepest);
    if (pure.is_absent()) return Value();
    const std::size_t rank = rank_of(x);
    Part result;
    Composition composition(cx, shape_of(x));
    const bool known = dyadic ? composition.two(pure, {w, rank, true}, {x, rank, true}, result, deepest)
                              : composition.one(pure, {x, rank, true}, result, deepest);
    return known && !result.is_constant() && result.atoms && result.cell_rank() == 0 ? std::move(result.value) : Value();
  });
}

namespace {

constexpr std::size_t fewest_lists = 16;

bool is_composed(const Value& f) { return f.is_function() && f.function().kind != ObjectKind::primitive_function; }
bool puts_in_order(const Value& f) {
  const char32_t glyph = glyph_of(f);
  return glyph == U'∧' || glyph == U'∨' || glyph == U'⍋' || glyph == U'⍒';
}
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
Value results_of(Context& cx, const Value& pure, std::span<const std::size_t> frame, const Part* w, const Part& x,
                 const Value& first) {
  Part result;
  Composition composition(cx, frame);
  const bool known = w ? composition.two(pure, *w, x, result, deepest) : composition.one(pure, x, result, deepest);
  if (!known || result.is_constant() || result.cell_rank() != rank_of(first) || (first.is_atom() && !result.atoms))
    return Value();
  return result.value.array().length == product(frame) * length_of(first) ? std::move(result.value) : Value();
}

bool is_number_or_character(const Value& v) { return v.is_number() || v.is_character(); }
bool is_filled_flat_list(const Value& v) {
  return rank_of(v) == 1 && v.array().length != 0 && is_flat(v) && has_plain_fill(v.array());
}

}  // namespace

Value composed_lists(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  const bool dyadic = !w.is_absent();
  if (!(is_composed(f) || (!dyadic && puts_in_order(f))) || cx.device != nullptr ||
      !(is_list_of_lists(x) || (dyadic && is_list_of_lists(w))))
    return Value();
  const Array& list = (is_list_of_lists(x) ? x : w).array();
  const auto meets = [&](const Value& v) { return rank_of(v) == 0 || v.array().length == list.length; };
  if (list.length < fewest_lists || !meets(x) || (dyadic && !meets(w))) return Value();
  return result_or_absent([&] {
    const Value pure = without_blocks(cx, f, dyadic, deepest);
    Part left, right;
    if (pure.is_absent()) return Value();
    const auto first_of = [](const Value& v) { return v.is_atom() ? v : element(v.array(), 0); };
    const Value first = dyadic ? call(cx, pure, first_of(w), first_of(x)) : call(cx, pure, first_of(x));
    const bool lists = is_filled_flat_list(first);
    if (!(lists || is_number_or_character(first)) || !as_part(cx, x, right) || (dyadic && !as_part(cx, w, left))) return Value();
    const std::size_t frame[] = {list.length};
    const Value all = results_of(cx, pure, frame, dyadic ? &left : nullptr, right, first);
    if (!lists || all.is_absent()) return all;
    return call(cx, derive1(cx, primitive(cx, U'˘'), primitive(cx, U'<')), all);
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
  if (!is_composed(f) || cx.device != nullptr || !is_list_of_lists(w) || !is_list_of_lists(x)) return Value();
  const std::size_t rows = w.array().length, columns = x.array().length;
  if (rows * columns < fewest_lists) return Value();
  return result_or_absent([&] {
    const Value pure = without_blocks(cx, f, true, deepest);
    Part left, right;
    if (pure.is_absent() || !as_part(cx, w, left) || !as_part(cx, x, right)) return Value();
    const Value sample = call(cx, pure, w.array().boxes()[0], x.array().boxes()[0]);
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
      const Value first = i == 0 ? sample : call(cx, pure, w.array().boxes()[i], x.array().boxes()[0]);
      pieces.push_back(results_of(cx, pure, frame, &repeated, whole, first));
      if (pieces.back().is_absent()) return Value();
    }
    return stacked(cx, pieces, rows, columns);
  });
}

}  // namespace griddle::primitives
