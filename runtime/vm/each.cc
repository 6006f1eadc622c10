// The loop of ¨ over a block that runs in the frame around it.
#include "runtime/value/array_builder.h"
#include "runtime/vm/dispatch.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

constexpr unsigned argument_x = EachLoop::slots, argument_w = EachLoop::slots + 1;

const Array& longer(const Value* slots) {
  return (slots[EachLoop::x].is_array() ? slots[EachLoop::x] : slots[EachLoop::w]).array();
}

// Calls F¨, which fails where shapes do not agree, repeats what has fewer axes, and knows how nothing is filled.
Value each_by(Context& cx, Glyph f, const Value& w, const Value& x) {
  const Value each = derive_primitive(cx, Value(primitive(cx, Glyph::each)), Value(primitive(cx, f)), Value());
  return w.is_absent() ? call(cx, each, x) : call(cx, each, w, x);
}

// Brings two arguments to one shape, unless one is an atom.
void bring_together(Context& cx, Value& w, Value& x) {
  if (!w.is_array() && !x.is_array()) x = enclose(cx.heap, std::move(x));
  if (!w.is_array() || !x.is_array()) return;
  if (same_shape(w.array().shape(), x.array().shape())) return;
  Value left = each_by(cx, Glyph::left, w, x);
  x = each_by(cx, Glyph::right, w, x);
  w = std::move(left);
}

Value element_of(const Value& v, std::size_t i) {
  if (const Array* const a = array_in(v.bits())) {
    const Bits bits = element_bits(*a, i);
    if (bits >= Value::first_object) retain(object(bits));
    return Value::from_bits(bits);
  }
  return v.is_array() ? element(v.array(), i) : v;
}

}  // namespace

bool Machine::begin_each(Vm& vm, Value* slots, bool dyadic, bool for_effect) {
  Context& cx = vm.cx_;
  Value &w = slots[EachLoop::w], &x = slots[EachLoop::x];
  if (dyadic)
    bring_together(cx, w, x);
  else if (!x.is_array())
    x = enclose(cx.heap, std::move(x));
  const std::size_t length = longer(slots).length;
  if (length == 0) {
    x = each_by(cx, Glyph::right, w, x);
    w = Value();
    return false;
  }
  if (cx.device != nullptr) [[unlikely]] {
    // Elements that are there come now, and for ¨.
    const ComputingHere here(cx, "Each");
    if (w.is_array()) w.array().data.get();
    if (x.is_array()) x.array().data.get();
  }
  if (!for_effect) slots[EachLoop::results] = to_value(make_list(cx.heap, ElementType::boxed, length));
  slots[EachLoop::index] = Value(0.0);
  return true;
}

bool Machine::next_of_each(Value* slots, bool dyadic) {
  const auto i = static_cast<std::size_t>(slots[EachLoop::index].number());
  if (i == longer(slots).length) return false;
  put(slots[argument_x], element_of(slots[EachLoop::x], i));
  if (dyadic) put(slots[argument_w], element_of(slots[EachLoop::w], i));
  return true;
}

void Machine::keep_of_each(Value* slots) {
  const double i = slots[EachLoop::index].number();
  Value result = std::move(slots[argument_x]);
  if (Value& results = slots[EachLoop::results]; results.is_array())
    results.array().boxes()[static_cast<std::size_t>(i)] = std::move(result);
  put(slots[EachLoop::index], Value(i + 1));
}

void Machine::end_each(Vm& vm, Value* slots) {
  Value &x = slots[EachLoop::x], &results = slots[EachLoop::results];
  Value made(0.0);
  if (results.is_array()) {
    Array& kept = results.array();
    ArrayBuilder builder(vm.cx_.heap, kept.length);
    for (Value& v : kept.boxes()) builder.push(std::move(v));
    made = builder.finish(longer(slots).shape());
  }
  x = std::move(made);
  slots[EachLoop::w] = Value();
  results = Value();
}

}  // namespace griddle
