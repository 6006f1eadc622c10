// ¨ and ⌜: functions on elements. The results become elements of an array.
#include <algorithm>
#include <cmath>

#include "primitives/arithmetic/dispatch.h"
#include "primitives/common/by_door.h"
#include "primitives/common/element_caller.h"
#include "primitives/common/element_reader.h"
#include "primitives/common/mapping.h"
#include "primitives/common/pervasive.h"
#include "primitives/mapping/cell_compositions.h"
#include "primitives/mapping/each.h"
#include "primitives/mapping/results.h"
#include "primitives/modifiers.h"
#include "runtime/value/array_builder.h"
#include "runtime/value/array_layout.h"
#include "runtime/value/fill.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/call.h"
#include "runtime/vm/error.h"
#include "runtime/vm/wiring.h"

namespace griddle::primitives {

const Value& operand(const Function& self) { return static_cast<const Derived&>(self).f; }

namespace {

// Tells that f fails on an empty list, because it starts by folding with a function that has no identity. Programs map such
// functions over no lists at all so often that an error each time would cost.
bool needs_elements(const Value& f) {
  const Value* first = &f;
  while (const Wiring wiring = wiring_of(*first, false)) {
    if (wiring.right.by == nullptr) return false;
    first = wiring.right.by;
  }
  if (reduces_by(*first) != Reduces::folds) return false;
  const Value& folded = operand(first->function());
  const PrimitiveFunctionEntry* primitive = primitive_entry(folded);
  return primitive != nullptr ? !primitive->has_identity : applies_by(folded) != Applies::to_pairs;
}

}  // namespace

Value call_on_fills(Context& cx, const Value& f, Value w, Value x) {
  if (f.is_modifier() || x.is_absent() || (f.is_function() && !f.function().is_pure())) return Value();
  if (w.is_absent() && rank_of(x) == 1 && x.array().length == 0 && needs_elements(f)) return Value();
  return result_or_absent([&] { return call_maybe(cx, f, std::move(w), std::move(x)); });
}

namespace {

constexpr std::size_t long_enough = 16;

bool is_long_and_flat(const Value& v) {
  return v.is_array() && v.array().type() != ElementType::boxed && v.array().length >= long_enough;
}

}  // namespace

Value call_elementwise(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (!is_long_and_flat(x) || (!w.is_absent() && (!is_long_and_flat(w) || !same_shape(shape_of(w), shape_of(x))))) return Value();
  if (elementwise_form(cx, f, !w.is_absent()).is_absent()) return Value();
  // The block computes on arrays as its train would, and may do so in one pass.
  Value result = result_or_absent([&] { return w.is_absent() ? call(cx, f, x) : call(cx, f, w, x); });
  if (result.is_absent() || result.array().type() == ElementType::boxed) return Value();
  // Elements that come one by one leave the fill of their kind.
  const Value fill = is_number(result.array().type()) ? Value(0.0) : Value::character(' ');
  return with_fill(cx.heap, std::move(result), fill);
}

Value call_with_primitive(Context& cx, const Function& self, const Value& w, const Value& x) {
  if (!is_long_and_flat(x)) return Value();
  const Value form = elementwise_form(cx, operand(self), true);
  if (primitive_entry(form) == nullptr) return Value();
  return result_or_absent([&] {
    const Value f = derive1(cx, static_cast<const Derived&>(self).modifier, form);
    return w.is_absent() ? call(cx, f, x) : call(cx, f, w, x);
  });
}

namespace {

// Sets the fill of what came element by element: only numbers and characters bring one of their kind.
Value mapped(Context& cx, Value result) {
  if (!result.is_array() || has_plain_fill(result.array())) return result;
  Array& a = result.array();
  if (a.type() == ElementType::boxed && a.length != 0 && a.boxes()[0].is_array()) {
    if (a.fill_kind() == FillKind::none) return result;
    if (a.refs == 1 && a.fill_kind() != FillKind::nested) {
      a.set_fill_kind(FillKind::none);
      return result;
    }
  }
  if (result.array().type() == ElementType::boxed) result = narrowed(cx.heap, std::move(result));
  const ElementType type = result.array().type();
  const Value fill = is_number(type) ? Value(0.0) : is_character(type) ? Value::character(U' ') : Value();
  return with_fill(cx.heap, std::move(result), fill);
}

// Gives the fill of a table, where its elements do not say: a constant's, that of the side f takes, or, if there are no
// elements, arithmetic on both. Else it is unknown.
Value table_fill(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (!f.is_function()) return prototype(cx.heap, f);
  if (const ScalarOp side = side_passed_by(f); side != ScalarOp::none) return fill_of(cx.heap, side == ScalarOp::left ? w : x);
  if ((length_of(w) != 0 && length_of(x) != 0) || !is_pervasive_dyad(f)) return Value();
  Value left = fill_of(cx.heap, w);
  if (left.is_absent()) return left;
  Value sample = call_on_fills(cx, f, std::move(left), fill_of(cx.heap, x));
  return sample.is_absent() ? sample : prototype(cx.heap, sample);
}

// Sets the fill of a result whose elements have none of their kind.
Value with_known_fill(Context& cx, Value result, const Value& fill) {
  const bool open = result.array().length == 0 || result.array().type() == ElementType::boxed;
  return open ? with_fill(cx.heap, std::move(result), fill) : result;
}

}  // namespace

Value empty_map_result(Context& cx, std::span<const std::size_t> shape, const Value& sample) {
  if (shape.size() == 1 && (sample.is_number() || sample.is_absent())) {
    Array* const list = make_plain_list(cx.heap, ElementType::f64, 0);
    if (sample.is_absent()) list->set_fill_kind(FillKind::none);
    return Value(list);
  }
  Value result = to_value(make_array(cx.heap, ElementType::f64, shape));
  return with_fill(cx.heap, std::move(result), sample.is_absent() ? Value() : prototype(cx.heap, sample));
}

namespace {

template <class Results>
Value each_known_shapes(Context& cx, const Value& f, Value x, Results builder) {
  const Array& a = x.array();
  ElementReader elements = ElementReader(x).take_if_unseen(x);
  ElementCaller caller(cx, f);
  if (std::is_same_v<Results, ArrayBuilder> && a.length <= FewValues::most) {
    FewValues results;
    for (std::size_t i = 0; i < a.length; i++)
      results.push(elements.kept(i) ? caller.on_kept(*elements.kept(i)) : caller(elements[i]));
    return results.finish(cx.heap, a.shape());
  }
  if (elements.reads_atoms()) {
    std::uint64_t atoms[ElementReader::block_size];
    for (std::size_t i = 0; i < a.length;) {
      const std::size_t count = elements.read_atoms(i, a.length, atoms);
      for (std::size_t k = 0; k < count; k++) {
        cx.check_interrupt();
        builder.push(caller(Value::from_bits(atoms[k])));
      }
      i += count;
    }
    return builder.finish(a.shape());
  }
  const Value* const boxes = elements.kept(0);
  for (std::size_t i = 0; i < a.length; i++) {
    cx.check_interrupt();
    builder.push(boxes != nullptr ? caller.on_kept(boxes[i]) : caller(elements[i]));
    if (boxes != nullptr)
      i += builder.push_boxes(a.length - i - 1, [&, next = boxes + i + 1](std::size_t k) {
        cx.check_interrupt();
        return caller.again(next[k].bits());
      });
  }
  return builder.finish(a.shape());
}

// Calls f with elements of both arguments, of which a single one stays where it is.
template <class Results>
void push_pairs(Context& cx, const Value& f, ElementReader& w, std::size_t step_w, ElementReader& x, std::size_t step_x,
                std::size_t length, Results& results) {
  ElementCaller caller(cx, f);
  const bool given = !std::is_same_v<Results, FewValues> && (w.hands_over() || x.hands_over());
  const Value *const left = w.kept(0), *const right = x.kept(0);
  Value left_room, right_room;
  for (std::size_t i = 0; i < length; i++) {
    cx.check_interrupt();
    if (given)
      results.push(caller(w[i * step_w], x[i * step_x]));
    else
      results.push(caller.on_kept(w.in_place(i * step_w, left_room), x.in_place(i * step_x, right_room)));
    if (left != nullptr && right != nullptr)
      i += results.push_boxes(length - i - 1, [&, next = i + 1](std::size_t k) {
        cx.check_interrupt();
        return caller.again(left[(next + k) * step_w].bits(), right[(next + k) * step_x].bits());
      });
  }
}

// Pairs each element of the short argument with a whole cell of the long one.
template <class Results>
Value each_pairs(Context& cx, const Value& f, const Value& w, const Value& x, Results builder) {
  bool w_longer = rank_of(w) > rank_of(x) || x.is_atom();
  const Value &longer = w_longer ? w : x, &shorter = w_longer ? x : w;
  std::size_t length = longer.array().length;
  ElementReader from_w(w), from_x(x);
  const std::size_t length_w = length_of(w), length_x = length_of(x);
  if ((length_w == length || length_w == 1) && (length_x == length || length_x == 1)) {
    const std::size_t step_w = length_w == length, step_x = length_x == length;
    if (step_w != 0) from_w.take_if_unseen(w);
    if (step_x != 0) from_x.take_if_unseen(x);
    if (std::is_same_v<Results, ArrayBuilder> && length <= FewValues::most) {
      FewValues results;
      push_pairs(cx, f, from_w, step_w, from_x, step_x, length, results);
      return results.finish(cx.heap, longer.array().shape());
    }
    push_pairs(cx, f, from_w, step_w, from_x, step_x, length, builder);
    return builder.finish(longer.array().shape());
  }
  ElementCaller caller(cx, f);
  std::size_t frame = length_of(shorter);
  std::size_t cell = length / frame;
  (w_longer ? from_w : from_x).take_if_unseen(longer);
  std::size_t i = 0;
  for (std::size_t k = 0; k < frame; k++) {
    Value one = w_longer ? from_x[k] : from_w[k];
    for (std::size_t j = 0; j < cell; j++, i++) {
      cx.check_interrupt();
      builder.push(w_longer ? caller(from_w[i], one) : caller(one, from_x[i]));
    }
  }
  return builder.finish(longer.array().shape());
}

// Encloses what a function made of atoms; an array among elements has no fill of its own to give.
Value enclosed_result(Context& cx, Value v) {
  bool array = v.is_array();
  Value unit = enclose(cx.heap, std::move(v));
  return array ? with_fill(cx.heap, std::move(unit), Value()) : unit;
}

// --- ¨

// Gives the argument that ⊣ or ⊢ pass on, where its elements are atoms or do not all become such; null for any other function.
const Value* passed_on(const Value& f, const Value& w, const Value& x) {
  const ScalarOp side = side_passed_by(f);
  if (side == ScalarOp::none) return nullptr;
  const Value& passed = side == ScalarOp::left ? w : x;
  if (!passed.is_array()) return passed.is_operation() ? nullptr : &passed;
  // Boxes that begin with an array stay boxes.
  const Array& a = passed.array();
  return a.type() != ElementType::boxed || (a.length != 0 && a.boxes()[0].is_array()) ? &passed : nullptr;
}

// Tells whether a function is a block that meets so few elements that no other way than calls pays.
bool is_called_for_few(const Value& f, std::size_t length) {
  return f.is_function() && f.function().kind == ObjectKind::block_function && length < long_enough;
}

CalledFor called_for(const Value& w, const Value& x) {
  const auto has_boxes = [](const Value& v) { return v.is_array() && v.array().type() == ElementType::boxed; };
  return has_boxes(w) || has_boxes(x) ? CalledFor::boxes : CalledFor::elements;
}

// Gives f¨ x where f, or what it is composed of, has a way for all elements. Primitives have no parts to look into.
Value each_at_once(Context& cx, const Value& f, const Value& x) {
  if (primitive_entry(f) != nullptr) {
    if (Value result = read_each(cx, f, x); !result.is_absent() || !puts_in_order(f)) return result;
  } else {
    if (Value result = read_through(cx, f, x); !result.is_absent()) return result;
    if (Value result = call_elementwise(cx, f, Value(), x); !result.is_absent()) return result;
    if (Value result = composed_elements(cx, f, Value(), x); !result.is_absent()) return result;
  }
  if (Value result = composed_lists(cx, f, Value(), x); !result.is_absent()) return mapped(cx, std::move(result));
  if (Value result = read_in_steps(cx, f, x); !result.is_absent()) return result;
  return read_by_block(cx, f, x);
}
// The same for w f¨ x, whose shapes agree.
Value each_at_once(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (primitive_entry(f) != nullptr) return Value();
  if (Value result = call_elementwise(cx, f, w, x); !result.is_absent()) return result;
  if (Value result = composed_elements(cx, f, w, x); !result.is_absent()) return result;
  Value result = composed_lists(cx, f, w, x);
  return result.is_absent() ? result : mapped(cx, std::move(result));
}

}  // namespace

Value map_each(Context& cx, const Value& f, Value x, bool results_needed) {
  const ComputingHere here(cx, "Each");
  if (uses_device(cx) && x.is_array() && x.array().type() == ElementType::boxed && x.array().data.elsewhere()) [[unlikely]]
    if (Value r = fold_groups_there(cx, f, x); !r.is_absent()) return r;
  if (x.is_atom()) return enclosed_result(cx, call(cx, f, std::move(x)));
  if (const Value* k = constant_of(f)) return filled(cx.heap, x.array().shape(), *k);
  if (x.array().length == 0) return empty_map_result(cx, x.array().shape(), fill_of(cx.heap, x));
  if (passed_on(f, x, x) != nullptr) return mapped(cx, std::move(x));
  if (is_called_for_few(f, x.array().length))
    return results_needed ? each_known_shapes(cx, f, std::move(x), ArrayBuilder(cx.heap, long_enough))
                          : each_known_shapes(cx, f, std::move(x), NoResults());
  if (is_pervasive(f)) return mapped(cx, call(cx, f, std::move(x)));
  if (Value result = each_at_once(cx, f, x); !result.is_absent()) return result;
  note_called_by_elements(f, called_for(x, x));
  if (!results_needed) return each_known_shapes(cx, f, std::move(x), NoResults());
  const std::size_t length = x.array().length;
  return each_known_shapes(cx, f, std::move(x), ArrayBuilder(cx.heap, length));
}

namespace {

// Repeats the cells of such an argument for the axes that the other one has beyond its own.
Value passed_each(Context& cx, const Value& passed, std::span<const std::size_t> shape) {
  if (passed.is_atom()) return filled(cx.heap, shape, passed);
  const unsigned rank = rank_of(passed);
  return mapped(cx, rank >= shape.size() ? passed : broadcast_cells(cx, passed, rank, shape.subspan(rank)));
}

}  // namespace

Value map_each(Context& cx, const Value& f, Value w, Value x, bool results_needed) {
  const ComputingHere here(cx, "Each");
  if (w.is_atom() && x.is_atom()) return enclosed_result(cx, call(cx, f, std::move(w), std::move(x)));
  std::size_t shared = std::min(rank_of(w), rank_of(x));
  if (!same_shape(shape_of(w).first(shared), shape_of(x).first(shared)))
    fail(cx, "Each: Leading axes of 𝕨 and 𝕩 must agree (shapes " + shape_text(w) + " and " + shape_text(x) + ")");
  const Array& longer = (rank_of(w) > rank_of(x) || x.is_atom() ? w : x).array();
  if (longer.length == 0) return empty_map_result(cx, longer.shape(), Value());
  if (results_needed && is_called_for_few(f, longer.length)) return each_pairs(cx, f, w, x, ArrayBuilder(cx.heap, longer.length));
  if (is_pervasive_dyad(f)) return mapped(cx, call(cx, f, std::move(w), std::move(x)));
  if (Value result = read_each(cx, f, w, x); !result.is_absent()) return result;
  if (const Value* passed = passed_on(f, w, x)) return passed_each(cx, *passed, longer.shape());
  if (Value result = each_at_once(cx, f, w, x); !result.is_absent()) return result;
  note_called_by_elements(f, called_for(w, x));
  if (!results_needed) return each_pairs(cx, f, w, x, NoResults());
  return each_pairs(cx, f, w, x, ArrayBuilder(cx.heap, longer.length));
}

// The machine notes where a call is a statement.
static bool needs_results(const Function& self) { return (self.b & Derived::for_effect) == 0; }
Value each_monad(Context& cx, const Function& self, Value x) {
  return map_each(cx, operand(self), std::move(x), needs_results(self));
}
Value each_dyad(Context& cx, const Function& self, Value w, Value x) {
  return map_each(cx, operand(self), std::move(w), std::move(x), needs_results(self));
}

// --- ⌜

Value table_monad(Context& cx, const Function& self, Value x) { return map_each(cx, operand(self), std::move(x)); }

namespace {

// Makes the table of what is composed of functions that have ways for all pairs at once.
Value table_of_composed(Context& cx, const Value& f, const Value& w, const Value& x) {
  if (primitive_entry(f) != nullptr) return Value();
  const bool is_block = f.is_function() && f.function().kind == ObjectKind::block_function;
  const Value form = is_block ? composed_by_block(cx, f, true, true) : f;
  if (is_block && is_pervasive_dyad(form))
    return result_or_absent([&] { return call(cx, derived_by<table_monad>(cx, form), w, x); });
  constexpr std::size_t most_pairs = std::size_t{1} << 20;  // may stay in a far cache
  if (form.is_absent() || w.array().length * x.array().length > most_pairs) return Value();
  return composed_elements(cx, form, broadcast_cells(cx, w, rank_of(w), shape_of(x)), broadcast_cells(cx, x, 0, shape_of(w)));
}

}  // namespace

// Gives the rule of a primitive that is arithmetic on atoms; null for any other function.
static const DyadRule* rule_of(const Value& f) {
  const PrimitiveFunctionEntry* const entry = primitive_entry(f);
  return entry != nullptr && entry->pervasive_dyad ? entry->dyad_rule : nullptr;
}

Value table_dyad(Context& cx, const Function& self, Value w, Value x) {
  const ComputingHere here(cx, "Table");
  const Value& f = operand(self);
  const DyadRule* const rule = rule_of(f);
  const bool few = rule != nullptr && are_few_pairs(w, x);
  if (Value result = few ? pervade_table(cx, *rule, w, x) : Value(); !result.is_absent()) return result;
  if (rank_of(w) == 0 || rank_of(x) == 0) {
    // A unit on one side meets every element of the other: Each does the same, but for fills.
    const Value fill = table_fill(cx, f, w, x);
    return with_known_fill(cx, map_each(cx, f, std::move(w), std::move(x)), fill);
  }
  Shape shape(shape_of(w));
  shape.append(shape_of(x));
  if (shape.size() > max_rank) fail(cx, "Table: Result rank is too large (" + std::to_string(shape.size()) + ")");
  std::size_t length = product(shape);
  if (length > max_length) fail(cx, "Table: Result is too large (shape " + shape_text(shape.view()) + ")");
  if (length == 0) return empty_map_result(cx, shape, table_fill(cx, f, w, x));
  const bool on_device = belongs_to_device(cx, w, x);
  if (is_long_and_flat(w) && !on_device)
    if (Value result = call_with_primitive(cx, self, w, x); !result.is_absent()) return result;
  if (is_pervasive_dyad(f)) {
    if (rule != nullptr && !few && !on_device)
      if (Value result = pervade_table(cx, *rule, w, x); !result.is_absent()) return result;
    Value repeated = broadcast_cells(cx, x, 0, shape_of(w), w);
    return mapped(cx, call(cx, f, std::move(w), std::move(repeated)));
  }
  if (const Value* passed = passed_on(f, w, x)) {
    Value result = passed == &w ? broadcast_cells(cx, w, rank_of(w), shape_of(x)) : broadcast_cells(cx, x, 0, shape_of(w));
    return with_known_fill(cx, std::move(result), table_fill(cx, f, w, x));
  }
  if (is_long_and_flat(x) && !on_device && w.is_array() && w.array().type() != ElementType::boxed)
    if (Value result = table_of_composed(cx, f, w, x); !result.is_absent()) return result;
  if (Value result = composed_table(cx, f, w, x); !result.is_absent()) return result;
  if (pairs_atoms(f, w, x)) return pair_table(cx, w, x, shape);
  ElementReader from_w(w);
  ElementReader from_x(x);
  std::size_t rows = length_of(w);
  std::size_t columns = length_of(x);
  ArrayBuilder builder(cx.heap, length);
  ElementCaller caller(cx, f);
  Value left_room, right_room;
  for (std::size_t i = 0; i < rows; i++) {
    const Value& left = from_w.in_place(i, left_room);
    for (std::size_t j = 0; j < columns; j++) {
      cx.check_interrupt();
      builder.push(caller.on_kept(left, from_x.in_place(j, right_room)));
    }
  }
  return with_known_fill(cx, builder.finish(shape), table_fill(cx, f, w, x));
}

}  // namespace griddle::primitives
