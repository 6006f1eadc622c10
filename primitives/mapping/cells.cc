// ˘ ⎉: functions on cells. The results are merged.
#include <algorithm>

#include "primitives/common/cells_builder.h"
#include "primitives/common/element_caller.h"
#include "primitives/common/elements.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/mapping/cell_compositions.h"
#include "primitives/mapping/cell_routes.h"
#include "primitives/modifiers.h"
#include "runtime/value/fill.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"

namespace griddle::primitives {

std::size_t frame_rank(double k, const Value& v) {
  double rank = rank_of(v);
  return static_cast<std::size_t>(k < 0 ? std::min(-k, rank) : rank - std::min(k, rank));
}

namespace {

// Cuts an argument into cells.
class CellReader {
 public:
  CellReader(Context& cx, const Value& v, std::size_t frame)
      : cx_(cx), value_(v), frame_(shape_of(v).first(frame)), shape_(shape_of(v).subspan(frame)), length_(product(shape_)) {}
  std::span<const std::size_t> frame() const { return frame_; }
  Value operator[](std::size_t i) const {
    if (frame_.empty()) return value_;
    return slice(cx_.heap, value_, i * length_, shape_);
  }
  // Makes a cell of fills; the absent value where it would be absurdly large.
  Value sample() const {
    if (frame_.empty()) return value_;
    constexpr std::size_t sample_limit = std::size_t{1} << 24;
    if (length_ > sample_limit) return Value();
    Value fill = fill_of(cx_.heap, value_);
    return filled(cx_.heap, shape_, fill.is_absent() ? Value(0) : fill);
  }

 private:
  Context& cx_;
  const Value& value_;
  std::span<const std::size_t> frame_;
  std::span<const std::size_t> shape_;
  std::size_t length_;
};

// Makes the result for an empty frame; `sample` is a result cell, or absent.
Value empty_frame_result(Context& cx, const char* name, std::span<const std::size_t> frame, const Value& sample) {
  if (frame.size() == 1 &&
      (sample.is_number() || (rank_of(sample) == 0 && sample.is_array() && sample.array().fill_kind() == FillKind::zero)))
    return Value(make_plain_list(cx.heap, ElementType::f64, 0));
  Shape shape(frame);
  shape.append(shape_of(sample));
  if (shape.size() > max_rank) fail(cx, std::string(name) + ": Result rank is too large (" + std::to_string(shape.size()) + ")");
  Value result = to_value(make_array(cx.heap, ElementType::f64, shape));
  if (sample.is_absent()) return with_fill(cx.heap, std::move(result), Value());
  return with_fill(cx.heap, std::move(result), sample.is_array() ? fill_of(cx.heap, sample) : prototype(cx.heap, sample));
}

// Tells whether calling f on fills has no effects.
bool may_sample(const Value& f) { return !f.is_function() || f.function().is_pure(); }

// Tells whether a function encloses its one argument.
bool encloses(const Value& f) {
  const PrimitiveFunctionEntry* const p = primitive_entry(f);
  return p != nullptr && p->one.of_atom == OfAtom::unit;
}

// Gives what is known of a function without a call for each cell; `w` is absent where there is one argument.
Value function_route(Context& cx, const Value& f, std::size_t frame_of_w, Value& w, std::size_t frame_of_x, Value& x) {
  if (w.is_absent()) {
    Value routed = cell_route(cx, f, frame_of_x, x);
    return routed.is_absent() ? composed_cells(cx, f, frame_of_x, x) : std::move(routed);
  }
  Value routed = cell_route(cx, f, frame_of_w, w, frame_of_x, x);
  return routed.is_absent() ? composed_cells(cx, f, frame_of_w, w, frame_of_x, x) : std::move(routed);
}

// Takes the route of the function that a block is equal to. A failure there is left to the block.
Value block_route(Context& cx, const Value& f, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x) {
  const Value form = composed_by_block(cx, f, !w.is_absent());
  // Enclosed cells of a block have the fill that they have in common.
  Value routed;
  if (!form.is_absent() && !encloses(form))
    routed = result_or_absent([&] {
      Value left = w, right = x;
      return function_route(cx, form, frame_of_w, left, frame_of_x, right);
    });
  if (routed.is_absent()) note_called_by_elements(f, CalledFor::cells);
  return routed;
}

// Gives several whole copies of a constant the fill of their elements' kind, as ⥊ does.
Value copies(Context& cx, const Value& f, std::size_t count, Value result) {
  if (constant_of(f) == nullptr || count == 1 || !is_character(result.array().type())) return result;
  return with_fill(cx.heap, std::move(result), Value::character(U' '));
}

// Tells whether all cells of an argument are alike, since they have no elements.
bool has_equal_cells(const Value& v, std::size_t frame) { return frame == 0 || (v.is_array() && v.array().length == 0); }

Value routed_cells(Context& cx, const Value& f, std::size_t frame_of_w, Value& w, std::size_t frame_of_x, Value& x) {
  if (cx.general_ways) return Value();
  Value routed = function_route(cx, f, frame_of_w, w, frame_of_x, x);
  return routed.is_absent() ? block_route(cx, f, frame_of_w, w, frame_of_x, x) : std::move(routed);
}

// `w` is absent where there is one argument.
Value map_cells(Context& cx, const char* name, const Value& f, std::size_t frame_of_w, Value w, std::size_t frame_of_x, Value x) {
  if (frame_of_w == 0 && frame_of_x == 0) return as_array(cx.heap, call_maybe(cx, f, std::move(w), std::move(x)));
  const std::span<const std::size_t> w_frame = shape_of(w).first(frame_of_w), x_frame = shape_of(x).first(frame_of_x);
  const std::size_t shared = std::min(frame_of_w, frame_of_x);
  if (!same_shape(w_frame.first(shared), x_frame.first(shared)))
    fail(cx, std::string(name) + ": Leading axes of 𝕨 and 𝕩 must agree (frames " + shape_text(w_frame) + " and " +
                 shape_text(x_frame) + ")");
  const bool w_longer = frame_of_w > frame_of_x;
  const std::span<const std::size_t> frame = w_longer ? w_frame : x_frame;
  const std::size_t count = product(frame);
  if (count != 0)
    if (Value routed = routed_cells(cx, f, frame_of_w, w, frame_of_x, x); !routed.is_absent()) return routed;
  CellReader w_cells(cx, w, frame_of_w);
  CellReader x_cells(cx, x, frame_of_x);
  if (count == 0) {
    if (!f.is_function() && !f.is_modifier()) return empty_frame_result(cx, name, frame, f);
    Value left = w_cells.sample(), right = x_cells.sample();
    const bool known = may_sample(f) && (w.is_absent() || !left.is_absent());
    return empty_frame_result(cx, name, frame, known ? call_on_fills(cx, f, std::move(left), std::move(right)) : Value());
  }
  const std::size_t outer = product(frame.first(shared)), inner = count / outer;
  CellsBuilder builder(cx, name, frame);
  ElementCaller caller(cx, f);
  // For equal cells that give nothing one call is enough, however many there are.
  const bool once = has_equal_cells(w, frame_of_w) && has_equal_cells(x, frame_of_x) && may_sample(f);
  for (std::size_t i = 0, k = 0; i < outer; i++) {
    Value held = w_longer ? x_cells[i] : w_cells[i];
    for (std::size_t j = 0; j < inner; j++, k++) {
      cx.check_interrupt();
      builder.push(held.is_absent() ? caller(x_cells[k]) : w_longer ? caller(w_cells[k], held) : caller(held, x_cells[k]));
      if (once && builder.cells_are_empty()) return copies(cx, f, count, builder.finish());
    }
  }
  if (w.is_absent() && encloses(f)) return with_fill(cx.heap, builder.finish(), Value());
  return copies(cx, f, count, builder.finish());
}

}  // namespace

Value cells_monad(Context& cx, const Function& self, Value x) {
  const ComputingHere here(cx, "Cells");
  if (Value column = cx.general_ways ? Value() : column_route(cx, operand(self), x); !column.is_absent()) return column;
  const std::size_t frame = frame_rank(-1, x);
  return map_cells(cx, "Cells", operand(self), 0, Value(), frame, std::move(x));
}
Value cells_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Cells");
  if (Value column = cx.general_ways ? Value() : column_route(cx, operand(self), w, x); !column.is_absent()) return column;
  const std::size_t frame_of_w = frame_rank(-1, w), frame_of_x = frame_rank(-1, x);
  return map_cells(cx, "Cells", operand(self), frame_of_w, std::move(w), frame_of_x, std::move(x));
}

namespace {

// Scans the lists of an array of any rank as the rows of one table.
Value scanned_lists(Context& cx, const Value& f, std::size_t frame, const Value& x) {
  if (cx.general_ways || frame == 0 || rank_of(x) != frame + 1 || reduces_by(f) != Reduces::scans) return Value();
  if (x.array().length == 0 || !is_numeric(x) || !is_pervasive_dyad(operand(f.function()))) return Value();
  const std::size_t row = shape_of(x).back();
  const Value table = with_shape(cx.heap, x, Shape{x.array().length / row, row});
  return with_shape(cx.heap, call(cx, derived_by<cells_monad>(cx, f), table), shape_of(x));
}

// `w` is absent where there is one argument.
Value map_ranks(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Rank");
  const Levels ranks = levels_of(cx, "Rank", max_rank, static_cast<const Derived&>(self).g, w, x);
  const std::size_t frame_of_w = frame_rank(ranks.left, w), frame_of_x = frame_rank(w.is_absent() ? ranks.one : ranks.right, x);
  if (w.is_absent())
    if (Value scanned = scanned_lists(cx, operand(self), frame_of_x, x); !scanned.is_absent()) return scanned;
  return map_cells(cx, "Rank", operand(self), frame_of_w, std::move(w), frame_of_x, std::move(x));
}

}  // namespace

Value rank_monad(Context& cx, const Function& self, Value x) { return map_ranks(cx, self, Value(), std::move(x)); }
Value rank_dyad(Context& cx, const Function& self, Value w, Value x) { return map_ranks(cx, self, std::move(w), std::move(x)); }

}  // namespace griddle::primitives

namespace griddle {

Value cells_merged(Context& cx, const Array& results) {
  const ComputingHere here(cx, "Cells");
  primitives::CellsBuilder builder(cx, "Cells", Shape{results.length});
  for (const Value& v : results.boxes()) builder.push(v);
  return builder.finish();
}

}  // namespace griddle
