#include "primitives/mapping/cell_routes.h"

#include <algorithm>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/by_door.h"
#include "primitives/common/elements.h"
#include "primitives/common/pervasive.h"
#include "primitives/common/plain.h"
#include "primitives/folds/fold.h"
#include "primitives/folds/number_ways.h"
#include "primitives/functions.h"
#include "runtime/vm/call.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {
namespace {

// Tells whether all cells of x, arrays of atoms, agree with data that a function of atoms meets in each of them.
bool meets_all_cells(const Value& w, std::size_t frame, const Value& x) {
  const std::span<const std::size_t> cell = shape_of(x).subspan(frame);
  const std::size_t shared = std::min<std::size_t>(rank_of(w), cell.size());
  return rank_of(w) != 0 && is_flat(w) && is_flat(x) && same_shape(shape_of(w).first(shared), cell.first(shared));
}

// Routes `w f cell` for every cell of x.
Value bound_route(Context& cx, const PrimitiveFunctionEntry& f, const Value& w, std::size_t frame, Value& x) {
  if (f.with_cells == nullptr || rank_of(x) == frame || !is_numeric(w) || rank_of(w) > 1 || x.array().length == 0) return Value();
  return f.with_cells(cx, w, frame, x);
}

// Asks the device that holds the cells.
Value cells_on_device(Context& cx, Glyph glyph, const Value& w, std::size_t frame, const Value& x) {
  if (!belongs_to_device(cx, x)) [[likely]]
    return Value();
  return cx.device->cells(cx, glyph, w, x, frame);
}

// Folds the first axis of each cell, on a device, as the last axis of all.
Value inserted_there(Context& cx, const Value& f, std::size_t frame, const Value& x) {
  if (!belongs_to_device(cx, x) || !is_numeric(x) || primitive_entry(f) == nullptr) return Value();
  Ref<Array> axes = make_list(cx.heap, ElementType::f64, frame + 1);
  for (std::size_t k = 0; k < frame; k++) axes->as<double>()[k] = static_cast<double>(k);
  axes->as<double>()[frame] = static_cast<double>(rank_of(x) - 1);
  Value turned = call(cx, primitive_by<reorder_axes>(cx), to_value(std::move(axes)), x);
  const Shape shape(shape_of(turned).first(rank_of(x) - 1));
  const Value table = with_shape(cx.heap, turned, Shape{product(shape.view()), shape_of(turned).back()});
  const Value folded = cx.device->reduce(cx, Device::Reduction::fold_rows, primitive_entry(f)->name, table);
  return folded.is_absent() ? folded : with_shape(cx.heap, folded, shape);
}

// Computes with a primitive on each cell of one argument and all of the other.
Value on_rows(Context& cx, const Value& f, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  if ((frame_of_w != 0) == (frame_of_x != 0) || concerns_device(cx, w, x)) return Value();
  const Value &whole = frame_of_w == 0 ? w : x, &cells = frame_of_w == 0 ? x : w;
  if (rank_of(whole) == 0 || !same_shape(shape_of(whole), shape_of(cells).subspan(frame_of_w + frame_of_x))) return Value();
  if (whole.array().data.elsewhere() || cells.array().data.elsewhere()) return Value();
  const PrimitiveFunctionEntry* entry = primitive_entry(f);
  const DyadRule* rule = entry != nullptr ? entry->dyad_rule : nullptr;
  return rule != nullptr ? pervade_rows(cx, *rule, w, x) : Value();
}

}  // namespace

Value cell_route(Context& cx, const Value& f, std::size_t frame, Value& x) {
  if (!f.is_function()) return Value();
  if (is_pervasive(f)) return call(cx, f, std::move(x));
  if (x.array().length == 0) return Value();
  if (const PrimitiveFunctionEntry* p = primitive_entry(f)) {
    if (Value there = cells_on_device(cx, p->name, Value(), frame, x); !there.is_absent()) return there;
    return p->on_cells != nullptr ? p->on_cells(cx, frame, x) : Value();
  }
  if (is_any(reduces_by(f), Reduces::folds, Reduces::inserts)) {
    const Value& folded_by = static_cast<const Derived&>(f.function()).f;
    if (reduces_by(f) == Reduces::inserts && rank_of(x) > frame + 1) return inserted_there(cx, folded_by, frame, x);
    if (rank_of(x) != frame + 1 || !is_flat(x) || !is_pervasive_dyad(folded_by)) return Value();
    if (Value folded = folded_rows(cx, folded_by, frame, x); !folded.is_absent()) return folded;
    const PrimitiveFunctionEntry* p = primitive_entry(folded_by);
    return p != nullptr && is_numeric(x) ? fold_rows_in_order(cx, *p, frame, x) : Value();
  }
  const Wiring wiring = wiring_of(f, false);
  if (!wiring || !wiring.has_left()) return Value();
  const bool from_left = wiring.right.by == nullptr;
  const Wiring::Input& bound = from_left ? wiring.left : wiring.right;
  if (bound.by == nullptr || bound.by->is_operation() || (!from_left && wiring.left.by != nullptr)) return Value();
  const Value& function = *wiring.last;
  if (is_pervasive_dyad(function) && !meets_all_cells(*bound.by, frame, x)) return Value();
  Value data = *bound.by;
  return from_left ? cell_route(cx, function, 0, data, frame, x) : cell_route(cx, function, frame, x, 0, data);
}

Value cell_route(Context& cx, const Value& f, std::size_t frame_of_w, Value& w, std::size_t frame_of_x, Value& x) {
  if (is_pervasive_dyad(f)) {
    if (Value result = on_rows(cx, f, frame_of_w, w, frame_of_x, x); !result.is_absent()) return result;
    // Repeats the cells of the argument with the shorter frame; units need none, they extend by themselves.
    if (frame_of_w < frame_of_x && rank_of(w) > frame_of_w)
      w = broadcast_cells(cx, w, frame_of_w, shape_of(x).subspan(frame_of_w, frame_of_x - frame_of_w), x);
    if (frame_of_x < frame_of_w && rank_of(x) > frame_of_x)
      x = broadcast_cells(cx, x, frame_of_x, shape_of(w).subspan(frame_of_x, frame_of_w - frame_of_x), w);
    return call(cx, f, std::move(w), std::move(x));
  }
  if (frame_of_x == 0 && rank_of(w) == frame_of_w + 1)
    if (Value product = matrix_product(cx, f, w, x); !product.is_absent()) return product;
  const PrimitiveFunctionEntry* p = primitive_entry(f);
  if (p == nullptr) return Value();
  // Where there is another way for one left argument, each cell has its own here.
  if ((is_join(*p) || p->general_dyad == index_of) && frame_of_w == frame_of_x)
    if (Value there = cells_on_device(cx, p->name, w, frame_of_x, x); !there.is_absent()) return there;
  const bool in_pairs = p->with_cells == nullptr || (frame_of_w != 0 && frame_of_x != 0 && !belongs_to_device(cx, w, x));
  if (p->on_pairs_of_cells != nullptr && in_pairs) return p->on_pairs_of_cells(cx, frame_of_w, w, frame_of_x, x);
  if (frame_of_w != 0) return Value();
  if (Value there = cells_on_device(cx, p->name, w, frame_of_x, x); !there.is_absent()) return there;
  return bound_route(cx, *p, w, frame_of_x, x);
}

namespace {

// Does what a primitive does to each row of a table.
std::uint64_t rows_of_table(Context& cx, const Derived& self, const Value& x, RecentMonad*) {
  const Array& a = x.array();
  if (a.rank() != 2 || a.length == 0 || !stays_here(cx, x)) return Value::absent_bits;
  Value shared = x;
  return primitive_entry_of(self.f.function()).on_cells(cx, 1, shared).leak();
}

}  // namespace

void attach_direct_rows(Derived& d) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(d.f); p != nullptr && p->on_cells != nullptr) d.direct = rows_of_table;
}

}  // namespace griddle::primitives
