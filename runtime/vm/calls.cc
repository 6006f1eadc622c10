// Calls of values from the loop.
#include "runtime/vm/attempt.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/scalar.h"

namespace griddle {

Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, Value&& x) {
  if (entry.scalar >= ScalarOp::left) return std::move(x);
  // A long array that nobody else holds lends its memory.
  constexpr std::size_t short_array = 256;
  if (entry.borrowing_monad != nullptr && x.is_array() && (x.array().length <= short_array || !x.array().unique()) &&
      (cx.device == nullptr || !belongs_to_device(cx, x)))
    if (Value result = Value::from_bits(entry.borrowing_monad(cx, x)); !result.is_absent()) return result;
  return (cx.device == nullptr ? entry.host_monad : entry.monad)(cx, std::move(x));
}

Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, Value&& w, Value&& x) {
  if (entry.scalar >= ScalarOp::left) return entry.scalar == ScalarOp::left ? std::move(w) : std::move(x);
  if (Value result = short_result(cx, entry, w, x); !result.is_absent()) return result;
  return long_result(cx, entry, std::move(w), std::move(x));
}

Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, const Value& x) {
  if (entry.scalar >= ScalarOp::left) return x;
  if (entry.borrowing_monad != nullptr && x.is_array() && (cx.device == nullptr || !belongs_to_device(cx, x)))
    if (Value result = Value::from_bits(entry.borrowing_monad(cx, x)); !result.is_absent()) return result;
  return (cx.device == nullptr ? entry.host_monad : entry.monad)(cx, x);
}

Value call_primitive(Context& cx, const PrimitiveFunctionEntry& entry, const Value& w, const Value& x) {
  if (entry.scalar >= ScalarOp::left) return entry.scalar == ScalarOp::left ? w : x;
  if (Value result = short_result(cx, entry, w, x); !result.is_absent()) return result;
  return long_result(cx, entry, Value(w), Value(x));
}

void Machine::call_primitive(Vm& vm, Value* arguments, const Function& function, bool dyadic) {
  const PrimitiveFunctionEntry& entry = primitive_entry_of(function);
  const bool asked = vm.cx_.device == nullptr;
  Value& x = arguments[0];
  if (!dyadic) {
    x = asked ? entry.host_monad(vm.cx_, std::move(x)) : griddle::call_primitive(vm.cx_, entry, std::move(x));
    return;
  }
  Value& w = arguments[1];
  const bool declined = asked && (w.is_array() || x.is_array());
  if (Value result = declined ? Value() : short_result(vm.cx_, entry, w, x); !result.is_absent()) {
    x = std::move(result);
  } else {
    x = long_result(vm.cx_, entry, std::move(w), std::move(x));
  }
  w = Value();
}

void Machine::call_native(Vm& vm, Value* arguments, const Function& function, bool dyadic) {
  // A function that computes needs no check of the stack: who calls others checks it.
  Value& x = arguments[0];
  put(x, dyadic ? function.dyad(vm.cx_, function, std::move(arguments[1]), std::move(x))
                : function.monad(vm.cx_, function, std::move(x)));
}

void Machine::call(Vm& vm, Value* base, const Instruction* i, const Value& f, bool dyadic) {
  if (&f == &vm.picked_) [[unlikely]] {
    const Value held = std::move(vm.picked_);
    return call(vm, base, i, held, dyadic);
  }
  if (!dyadic && f.is_function() && f.function().kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(f.function());
    if (d.bound() != ScalarOp::none && base[i->a].is_array()) {
      const Value& operation = d.b ? d.f : d.g;
      const PrimitiveFunctionEntry& entry = *static_cast<const PrimitiveFunction&>(operation.function()).entry;
      Value result = d.b ? short_result(vm.cx_, entry, base[i->a], d.g) : short_result(vm.cx_, entry, d.f, base[i->a]);
      if (!result.is_absent()) {
        base[i->a] = std::move(result);
        return;
      }
    }
  }
  Value& x = base[i->a];
  if (f.is_function() && f.function().kind != ObjectKind::primitive_function) [[likely]] {
    const Function& function = f.function();
    vm.cx_.check_stack();
    put(x, dyadic ? function.dyad(vm.cx_, function, std::move(base[i->a + 1]), std::move(x))
                  : function.monad(vm.cx_, function, std::move(x)));
    return;
  }
  if (dyadic) {
    x = griddle::call(vm.cx_, f, std::move(base[i->a + 1]), std::move(x));
    base[i->a + 1] = Value();
  } else {
    x = griddle::call(vm.cx_, f, std::move(x));
  }
}

void Machine::call_stacked(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  Value* slots = base + i->a;
  Value& x = slots[0];
  const Value& f = slots[1];
  if (f.is_function() && f.function().kind != ObjectKind::primitive_function && !x.is_mark() && !(dyadic && slots[2].is_mark()))
      [[likely]] {
    const Function& function = f.function();
    vm.cx_.check_stack();
    put(x, dyadic ? function.dyad(vm.cx_, function, std::move(slots[2]), std::move(x))
                  : function.monad(vm.cx_, function, std::move(x)));
    slots[1] = Value();
    return;
  }
  if (!x.is_mark()) {
    if (f.is_mark()) fail(vm.cx_, "Call: Nothing cannot be called");
    x = dyadic && !slots[2].is_mark() ? griddle::call(vm.cx_, f, std::move(slots[2]), std::move(x))
                                      : griddle::call(vm.cx_, f, std::move(x));
  }
  slots[1] = Value();
  if (dyadic) slots[2] = Value();
}

bool Machine::attempt_call(Vm& vm, Value* base, const Instruction* i, const Value& function, bool dyadic) {
  const Value f = &function == &vm.picked_ ? std::move(vm.picked_) : function;
  Value& x = base[i->a];
  Value message;
  Value result = attempt(vm.cx_, f, dyadic ? std::move(base[i->a + 1]) : Value(), std::move(x), message);
  if (dyadic) base[i->a + 1] = Value();
  x = std::move(result);
  vm.raised_ = std::move(message);
  return vm.raised_.is_absent();
}

bool Machine::attempt_stacked(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  Value* slots = base + i->a;
  const bool left = dyadic && !slots[2].is_mark();
  if (slots[0].is_mark() || slots[1].is_mark()) {
    call_stacked(vm, base, i, dyadic);
    return true;
  }
  const Value f = std::move(slots[1]);
  Value message;
  Value result = attempt(vm.cx_, f, left ? std::move(slots[2]) : Value(), std::move(slots[0]), message);
  if (dyadic) slots[2] = Value();
  slots[0] = std::move(result);
  vm.raised_ = std::move(message);
  return vm.raised_.is_absent();
}

const Value& Machine::chosen(Vm& vm, const Value& function, const Value* arguments, bool dyadic) {
  const Value* f = &function;
  while (f->is_function() && f->function().monad == vm.choose_code_ && f->function().kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(f->function());
    if (!d.g.is_array() || d.g.array().rank() != 1 || d.g.array().type() != ElementType::boxed) break;
    Value index = !d.f.is_function() ? call_other(vm.cx_, d.f)
                  : dyadic           ? griddle::call(vm.cx_, d.f, arguments[1], arguments[0])
                                     : griddle::call(vm.cx_, d.f, arguments[0]);
    std::int64_t i;
    std::int64_t count = static_cast<std::int64_t>(d.g.array().length);
    if (!index.to_integer(i) || i < -count || i >= count) {
      std::uint32_t none;
      if (!index.is_array() && !choice(vm, index, static_cast<std::uint32_t>(count), false, none))
        fail_with(vm.cx_, std::move(vm.raised_));
      // Leaves lists of indices to Pick.
      vm.picked_ = griddle::call(vm.cx_, primitive(vm.cx_, U'⊑'), std::move(index), d.g);
      return vm.picked_;
    }
    f = &d.g.array().boxes()[static_cast<std::size_t>(i < 0 ? i + count : i)];
  }
  return *f;
}

void Machine::check_call(Vm& vm) {
  vm.cx_.check_interrupt();
  fail(vm.cx_, "Stack overflow");
}

void Machine::no_body(Vm& vm, const Frame& frame, const Value* base, const Instruction& i) {
  const Code& code = *frame.code;
  std::string name = code.label.empty() ? "Block" : code.label;
  if (code.type != BlockType::immediate && !code.deferred && code.type != BlockType::function)
    return raise(vm, name + ": No body applies to these operands");
  if (!(i.flags & Instruction::maybe)) return raise(vm, name + ": No body applies");
  std::string given = "𝕩: " + value_text(base[i.a]);
  const bool left = i.flags & Instruction::dyadic && !base[i.b].is_mark() && !base[i.b].is_absent();
  if (left) given = "𝕨: " + value_text(base[i.b]) + ", " + given;
  raise(vm, name + ": No body applies to these arguments (" + given + ")");
}

}  // namespace griddle
