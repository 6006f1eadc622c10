// Calls of values from the loop.
#include "runtime/vm/attempt.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/scalar.h"

namespace griddle {

std::uint64_t call_on_atoms(Context& cx, const PrimitiveFunctionEntry& entry, std::uint64_t w, std::uint64_t x, DyadCall call) {
  const std::uint64_t result =
      result_on_atoms(entry, reinterpret_cast<const Value&>(w), reinterpret_cast<const Value&>(x)).leak();
  if (result == Value::absent_bits) return entry.dyad(cx, w, x, call);
  if (call.gives_w()) release_bits(w);
  if (call.gives_x()) release_bits(x);
  return result;
}

void Machine::call_primitive(Vm& vm, const Instruction* i, const PrimitiveFunctionEntry& entry, Value* arguments, bool dyadic) {
  const std::uint64_t x = arguments[0].leak();
  if (dyadic)
    put(arguments[0], Value::from_bits(call_dyad(vm.cx_, entry, arguments[1].leak(), x, {&vm.recent_dyads_.at(i), given_both})));
  else
    put(arguments[0], Value::from_bits(entry.monad(vm.cx_, x, {&vm.recent_monads_.at(i), true})));
}

void Machine::call_native(Vm& vm, Value* arguments, const Function& function, bool dyadic) {
  // A function that computes needs no check of the stack: who calls others checks it.
  Value& x = arguments[0];
  put(x, dyadic ? function.dyad(vm.cx_, function, std::move(arguments[1]), std::move(x))
                : function.monad(vm.cx_, function, std::move(x)));
}

namespace {

// Computes on numbers what needs no calls; NaN where a call does it.
double computed(const Value& f, const Value* arguments, bool dyadic) {
  if (!arguments[0].is_number() || (dyadic && !arguments[1].is_number()) || !f.is_function()) return NAN;
  const Function& function = f.function();
  if ((function.kind != ObjectKind::train && function.kind != ObjectKind::derived) || !may_be_arithmetic(function)) return NAN;
  return dyadic ? arithmetic(function, arguments[1].number(), arguments[0].number())
                : arithmetic(function, arguments[0].number());
}

}  // namespace

void Machine::call(Vm& vm, Value* base, const Instruction* i, const Value& f, bool dyadic) {
  if (&f == &vm.picked_) [[unlikely]] {
    const Value held = std::move(vm.picked_);
    return call(vm, base, i, held, dyadic);
  }
  if (const double result = computed(f, base + i->a, dyadic); result == result) return put(base[i->a], Value(result));
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
      vm.picked_ = griddle::call(vm.cx_, primitive(vm.cx_, Glyph::pick), std::move(index), d.g);
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
