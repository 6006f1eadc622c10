// The loops of ¨ ˘ ´ over a block that runs in the frame around it.
#include "runtime/value/fused_expression.h"
#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

bool is_unit(const Value& v) { return v.is_array() && v.array().rank() == 0; }

// Gives the argument that says how often the block is called. What an atom or a unit holds meets each element of the other one.
const Array& longer(const Value* slots) {
  const Value &w = slots[ElementLoop::w], &x = slots[ElementLoop::x];
  return (x.is_array() && !(is_unit(x) && w.is_array()) ? x : w).array();
}

// Calls ⊣¨ or ⊢¨, which fails where shapes do not agree, repeats what has fewer axes, and knows how nothing is filled.
Value each_side(Context& cx, bool left, const Value& w, const Value& x) {
  const Value& f = primitive(cx, left ? Glyph::left : Glyph::right);
  const Value each = derive_primitive(cx, Value(primitive(cx, Glyph::each)), Value(f), Value());
  return w.is_absent() ? call(cx, each, x) : call(cx, each, w, x);
}

// Brings two arguments to one shape, unless one is an atom or a unit.
void bring_together(Context& cx, Value& w, Value& x) {
  if (!w.is_array() && !x.is_array()) x = enclose(cx.heap, std::move(x));
  if (!w.is_array() || !x.is_array() || is_unit(w) || is_unit(x)) return;
  if (same_shape(w.array().shape(), x.array().shape())) return;
  Value left = each_side(cx, true, w, x);
  x = each_side(cx, false, w, x);
  w = std::move(left);
}

Value element_of(const Value& v, std::size_t i) {
  if (is_unit(v)) i = 0;
  if (const Array* const a = array_in(v.bits())) {
    const Bits bits = element_bits(*a, i);
    if (bits >= Value::first_object) retain(object(bits));
    return Value::from_bits(bits);
  }
  return v.is_array() ? element(v.array(), i) : v;
}

// Gives what a list of boxes is with elements of the narrowest type.
Value made_of(Heap& heap, Value results) {
  Array& kept = results.array();
  bool holds_objects = false;
  for (const Value& v : kept.boxes()) holds_objects |= v.is_object();
  if (holds_objects) return results;
  constexpr std::size_t few = 16;
  if (kept.length <= few) return make_values(heap, kept.boxes());
  Value made = narrowed(heap, std::move(results));
  made.array().set_fill_kind(plain_fill(made.array().type()));
  return made;
}

}  // namespace

bool Machine::begin_each(Vm& vm, Value* slots, unsigned over, bool for_effect) {
  Context& cx = vm.cx_;
  Value &w = slots[ElementLoop::w], &x = slots[ElementLoop::x];
  if (over == ElementLoop::cells) {
    const std::size_t cells = x.array().cells();
    slots[ElementLoop::results] = to_value(make_list(cx.heap, ElementType::boxed, cells));
    slots[ElementLoop::index] = Value(0.0);
    slots[ElementLoop::rounds] = Value(cells);
    return true;
  }
  const bool dyadic = over == ElementLoop::two;
  if (dyadic)
    bring_together(cx, w, x);
  else if (!x.is_array())
    x = enclose(cx.heap, std::move(x));
  const std::size_t length = longer(slots).length;
  if (length == 0) {
    // Nothing of x becomes nothing, with the fill that it has.
    if (dyadic || x.array().type() == ElementType::boxed) x = each_side(cx, false, w, x);
    w = Value();
    return false;
  }
  if (uses_device(cx)) [[unlikely]] {
    // Elements that are there come now, and for ¨.
    const ComputingHere here(cx, "Each");
    if (w.is_array()) w.array().data.get();
    if (x.is_array()) x.array().data.get();
  }
  if (!for_effect) slots[ElementLoop::results] = to_value(make_list(cx.heap, ElementType::boxed, length));
  slots[ElementLoop::index] = Value(0.0);
  slots[ElementLoop::rounds] = Value(length);
  return true;
}

bool Machine::next_of_each(Vm& vm, Value* slots, unsigned over) {
  if (slots[ElementLoop::index].number() == slots[ElementLoop::rounds].number()) return false;
  const auto i = static_cast<std::size_t>(slots[ElementLoop::index].number());
  if (over == ElementLoop::cells) {
    const Value& x = slots[ElementLoop::x];
    const Array& a = x.array();
    put(slots[ElementLoop::argument_x], slice(vm.cx_.heap, x, i * a.cell_length(), a.shape().subspan(1)));
    return true;
  }
  put(slots[ElementLoop::argument_x], element_of(slots[ElementLoop::x], i));
  if (over == ElementLoop::two) put(slots[ElementLoop::argument_w], element_of(slots[ElementLoop::w], i));
  return true;
}

void Machine::keep_of_each(Value* slots) {
  const double i = slots[ElementLoop::index].number();
  Value result = std::move(slots[ElementLoop::argument_x]);
  if (Value& results = slots[ElementLoop::results]; results.is_array())
    results.array().boxes()[static_cast<std::size_t>(i)] = std::move(result);
  put(slots[ElementLoop::index], Value(i + 1));
}

void Machine::end_each(Vm& vm, Value* slots, unsigned over) {
  Value &x = slots[ElementLoop::x], &results = slots[ElementLoop::results];
  Value made(0.0);
  if (over == ElementLoop::cells) {
    made = cells_merged(vm.cx_, results.array());
  } else if (results.is_array()) {
    made = made_of(vm.cx_.heap, std::move(results));
    const auto shape = longer(slots).shape();
    if (shape.size() != 1) made = with_shape(vm.cx_.heap, std::move(made), shape);
  }
  x = std::move(made);
  slots[ElementLoop::w] = Value();
  results = Value();
}

bool Machine::is_longer(const Value* slots, const Instruction* begin) {
  const unsigned limit = begin->c;
  const std::size_t most = limit >> ElementLoop::longest_shift;
  const auto has_boxes = [](const Value& v) { return v.is_array() && v.array().type() == ElementType::boxed; };
  if (limit & (ElementLoop::flat_alone | ElementLoop::flat_always)) {
    const bool boxes = has_boxes(slots[ElementLoop::x]) || has_boxes(slots[ElementLoop::w]);
    if (boxes ? limit & ElementLoop::flat_alone : limit & ElementLoop::flat_always) return !boxes;
  }
  const auto lies_elsewhere = [](const Value& v) { return v.is_array() && v.array().data.elsewhere(); };
  const auto has_many = [=](const Value& v) {
    return v.is_array() && (v.array().length > most || (has_boxes(v) && lies_elsewhere(v)));
  };
  const Value &w = slots[ElementLoop::w], &x = slots[ElementLoop::x];
  const bool cells = begin->b == ElementLoop::cells;
  if (cells) {
    // Atoms have no cells; cells without elements may be alike.
    if (!x.is_array() || x.array().rank() == 0 || x.array().length == 0 || lies_elsewhere(x)) return true;
    if (x.array().cells() <= most) return false;
  } else if (!has_many(x) && !has_many(w)) {
    return false;
  }
  // What meets the whole array may have found that it can but call the block for each element, which the loop does in less time.
  const Code* const block = begin->pointer<const Code>(2);
  if (block == nullptr || lies_elsewhere(x) || lies_elsewhere(w)) return true;
  // The loop keeps its results as boxes until the end.
  constexpr std::size_t most_kept = std::size_t{1} << 22;
  if (longer(slots).length > most_kept) return true;
  const CalledFor called = cells ? CalledFor::cells : has_boxes(x) || has_boxes(w) ? CalledFor::boxes : CalledFor::elements;
  return block->called_by_elements[static_cast<int>(called)].attempts();
}

void note_called_by_elements(const Value& f, CalledFor called) {
  if (f.is_function() && f.function().kind == ObjectKind::block_function)
    code_of(static_cast<const BlockFunction&>(f.function()).code)->called_by_elements[static_cast<int>(called)].note_vain();
}

bool Machine::begin_fold(Value* slots, bool dyadic) {
  const Array* const a = array_in(slots[ElementLoop::x].bits());
  if (a == nullptr || a->rank() != 1 || a->length - 1 >= ElementLoop::longest_for_block) return false;
  std::size_t index = a->length;
  if (dyadic)
    put(slots[ElementLoop::argument_x], std::move(slots[ElementLoop::w]));
  else
    put(slots[ElementLoop::argument_x], element_of(slots[ElementLoop::x], --index));
  slots[ElementLoop::index] = Value(static_cast<double>(index));
  return true;
}

bool Machine::next_of_fold(Value* slots) {
  const double index = slots[ElementLoop::index].number() - 1;
  if (index < 0) return false;
  slots[ElementLoop::index] = Value(index);
  put(slots[ElementLoop::argument_w], element_of(slots[ElementLoop::x], static_cast<std::size_t>(index)));
  return true;
}

}  // namespace griddle
