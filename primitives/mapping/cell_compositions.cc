#include "primitives/mapping/cell_compositions.h"
#include "primitives/common/by_door.h"

#include <algorithm>
#include <vector>

#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/functions.h"
#include "primitives/mapping/composition.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_layout.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {
namespace {

bool is_number_or_character(const Value& v) { return v.is_number() || v.is_character(); }

}  // namespace

bool may_be_composed(const Value& x, std::size_t frame) {
  constexpr std::size_t fewest_cells = 4;     // a call for each of fewer takes less than what all take together
  constexpr std::size_t longest_cell = 4096;  // longer ones are in a near cache for one step after the other
  const Array& a = x.array();
  if (a.type() == ElementType::boxed || a.length == 0 || !has_plain_fill(a)) return false;
  const std::size_t cells = product(a.shape().first(frame));
  return cells >= fewest_cells && a.length / cells <= longest_cell;
}

// Tells whether a function is composed. One that stands alone has no way but its calls, where those of cell_route() have been
// tried.
static bool is_composed_for_cells(const Value& f) {
  const bool may_be = f.is_function() && (f.function().kind == ObjectKind::train || f.function().kind == ObjectKind::derived);
  return may_be && reduces_by(f) == Reduces::no;
}

Value composed_cells(Context& cx, const Value& f, std::size_t frame, const Value& x) {
  if (cx.general_ways || !is_composed_for_cells(f)) return Value();
  // On a device all cells at once are best, however few or long they are.
  const bool is_there = belongs_to_device(cx, x) && is_flat(x) && x.array().length != 0;
  if (is_there ? !has_plain_fill(x.array()) : !may_be_composed(x, frame)) return Value();
  return result_or_absent([&] {
    Composition composition(cx, x.array().shape().first(frame));
    if (!composition.prepare(f, false)) return Value();
    Part result = composition.apply(f, nullptr, {x, frame, false});
    return result.is_constant() ? Value() : std::move(result.value);
  });
}

Value composed_cells(Context& cx, const Value& f, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x,
                     const Value& x) {
  if (cx.general_ways || !is_composed_for_cells(f) || uses_device(cx)) return Value();
  const std::size_t frame = std::max(frame_of_w, frame_of_x);
  const Value& framed = frame_of_w != 0 ? w : x;
  if (!may_be_composed(framed, frame)) return Value();
  const auto part_of = [&](const Value& v, std::size_t own) -> Part {
    if (own == 0 && v.is_atom()) return is_number_or_character(v) ? Part{v, 0, true} : Part();
    const bool fits = is_flat(v) && v.array().length != 0 && has_plain_fill(v.array());
    const bool agrees = own == 0 || (own == frame && same_shape(shape_of(v).first(own), shape_of(framed).first(frame)));
    return fits && agrees ? Part{v, own, false} : Part();
  };
  const Part left = part_of(w, frame_of_w), right = part_of(x, frame_of_x);
  if (!left.is_known() || !right.is_known()) return Value();
  return result_or_absent([&] {
    Composition composition(cx, shape_of(framed).first(frame));
    if (!composition.prepare(f, true)) return Value();
    Part result = composition.apply(f, &left, right);
    return result.is_constant() ? Value() : std::move(result.value);
  });
}

Value composed_elements(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  constexpr std::size_t fewest = 32;
  const auto fits = [&](const Value& v) {
    return v.is_array() && v.array().length >= fewest && is_flat(v) && has_plain_fill(v.array()) && !belongs_to_device(cx, v);
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
  if (!(is_composed(f) || (!dyadic && puts_in_order(f))) || uses_device(cx)) return Value();
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
    return call(cx, derived_by<cells_monad>(cx, primitive_by<less>(cx)), all);
  });
}

Value composed_table(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (cx.general_ways) return Value();
  if (!is_composed(f) || uses_device(cx) || !w.is_array() || !x.is_array()) return Value();
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
    return pieces.size() == 1 ? pieces[0] : join(cx, make_values(cx.heap, pieces));
  });
}

}  // namespace griddle::primitives
