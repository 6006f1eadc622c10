// Primitives on operands that the loop does not compute on itself, and what decides branches.
#include <bit>
#include <cmath>

#include "runtime/value/append.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/loan.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

// Calls a primitive of which an argument may be Nothing.
Value call_maybe(Context& cx, const PrimitiveFunctionEntry& entry, Value w, Value x) {
  if (x.is_mark()) return x;
  if (w.is_mark()) return griddle::call_primitive(cx, entry, std::move(x));
  return griddle::call_primitive(cx, entry, std::move(w), std::move(x));
}

// Changes a variable by a primitive, which has it on loan.
void modify_by(Context& cx, const PrimitiveFunctionEntry& entry, Value& variable) {
  Value result;
  {
    Loan loan(variable);
    result = call_primitive(cx, entry, Value(variable));
  }
  variable = std::move(result);
}
void modify_by(Context& cx, const PrimitiveFunctionEntry& entry, Value& variable, Value x) {
  if (is_join(entry) && append(cx.heap, variable, x)) return;
  Value result;
  {
    Loan loan(variable);
    result = call_primitive(cx, entry, Value(variable), std::move(x));
  }
  variable = std::move(result);
}

// Carries out an instruction that changes a variable by a primitive, or calls one on what may be Nothing.
[[gnu::noinline]] void monad_otherwise(Context& cx, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (i->flags & Instruction::modify)
    modify_by(cx, entry, base[i->a]);
  else
    put(base[i->a], fetch(base[i->b], i->flags & Instruction::consume_b));
}
[[gnu::noinline]] void dyad_otherwise(Context& cx, Value* base, const Instruction* i, Value&& w, Value&& x) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (i->flags & Instruction::modify)
    modify_by(cx, entry, base[i->a], std::move(x));
  else
    put(base[i->a], call_maybe(cx, entry, std::move(w), std::move(x)));
}

// Takes the bits of an operand, which stays in its slot if it is not given.
inline std::uint64_t operand_bits(Value& slot, bool gives) { return gives ? slot.leak() : slot.bits(); }

}  // namespace

void Machine::monad(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (i->flags & Instruction::modify || base[i->b].is_mark()) [[unlikely]]
    return monad_otherwise(vm.cx_, base, i);
  const bool gives_x = i->flags & Instruction::consume_b;
  const std::uint64_t x = operand_bits(base[i->b], gives_x);
  put(base[i->a], Value::from_bits(entry.monad(vm.cx_, x, {&vm.recent_monads_.at(i), gives_x})));
}

namespace {

// Tells whether an instruction changes a variable that it gets on loan, or has Nothing as an argument.
inline bool is_no_plain_call(const PrimitiveFunctionEntry& entry, const Value* base, const Instruction* i) {
  if (i->flags & Instruction::modify) return !remakes(entry, base[i->b]);
  return i->flags & Instruction::maybe && (base[i->b].is_mark() || base[i->c].is_mark());
}

}  // namespace

bool Machine::dyad_again_otherwise(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const bool changes = i->flags & Instruction::modify;
  if (is_no_plain_call(entry, base, i)) return false;
  const std::uint64_t result = dyad_again(vm, entry, i, base[i->b].bits(), base[i->c].bits());
  if (result == Value::absent_bits) return false;
  if (changes || i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  if (i->flags & Instruction::consume_c) drop_consumed(base[i->c]);
  put(base[i->a], Value::from_bits(result));
  return true;
}

void Machine::dyad(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const bool gives_w = i->flags & Instruction::consume_b, gives_x = i->flags & Instruction::consume_c;
  const bool changes = i->flags & Instruction::modify;
  if (is_no_plain_call(entry, base, i)) [[unlikely]] {
    Value x = fetch(base[i->c], gives_x);
    return dyad_otherwise(vm.cx_, base, i, changes ? Value() : fetch(base[i->b], gives_w), std::move(x));
  }
  static_assert(Instruction::consume_b == given_w && Instruction::consume_c == given_x);
  const std::uint64_t w = operand_bits(base[i->b], gives_w), x = operand_bits(base[i->c], gives_x);
  Value result =
      Value::from_bits(call_dyad(vm.cx_, entry, w, x, {&vm.recent_dyads_.at(i), i->flags & std::uint32_t{given_both}}));
  if (changes) drop_consumed(base[i->a]);
  put(base[i->a], std::move(result));
}

void Machine::dyad_constant(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& constant = i->value(1);
  const bool swapped = i->flags & Instruction::swapped, gives = i->flags & Instruction::consume_b;
  const bool changes = i->flags & Instruction::modify;
  if (changes ? !remakes(entry, base[i->b]) : base[i->b].is_mark()) [[unlikely]] {
    if (changes) return dyad_otherwise(vm.cx_, base, i, Value(), Value(constant));
    Value w = fetch(base[i->b], gives), x = constant;
    if (swapped) std::swap(w, x);
    return dyad_otherwise(vm.cx_, base, i, std::move(w), std::move(x));
  }
  if (changes) {
    // Whoever goes by what the site remembers has left this to be asked here.
    const std::uint64_t held = base[i->b].bits();
    const std::uint64_t again = dyad_again(vm, entry, i, swapped ? constant.bits() : held, swapped ? held : constant.bits());
    if (again != Value::absent_bits) {
      drop_consumed(base[i->a]);
      return put(base[i->a], Value::from_bits(again));
    }
  }
  const std::uint64_t other = operand_bits(base[i->b], gives);
  RecentDyad* const site = &vm.recent_dyads_.at(i);
  Value result =
      Value::from_bits(swapped ? call_dyad(vm.cx_, entry, constant.bits(), other, {site, gives ? given_x : given_none})
                               : call_dyad(vm.cx_, entry, other, constant.bits(), {site, gives ? given_w : given_none}));
  if (changes) drop_consumed(base[i->a]);
  put(base[i->a], std::move(result));
}

std::int32_t Machine::first_of(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  Context& cx = vm.cx_;
  if (cx.general_ways || cx.observer != nullptr) return 0;
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const std::uint64_t result = dyadic ? entry.first_of_two(cx, base[i->b], base[i->c]) : entry.first_of_one(cx, base[i->b]);
  if (result == Value::absent_bits) return 0;
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  if (dyadic && i->flags & Instruction::consume_c) drop_consumed(base[i->c]);
  const Instruction* const first = i->next();
  put(base[first->a], Value::from_bits(result));
  return static_cast<std::int32_t>(first->next() - i);
}

bool Machine::require(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& x = base[dyadic ? i->c : i->b];
  if (!(i->flags & Instruction::maybe)) {
    vm.raised_ = entry.refusal(vm.cx_, dyadic ? base[i->b] : Value(), x);
    if (!vm.raised_.is_absent()) return false;
  }
  if (dyadic)
    Machine::dyad(vm, base, i);
  else
    Machine::monad(vm, base, i);
  return true;
}

bool Machine::refuses(Vm& vm, Value* base, const Instruction* i, bool dyadic) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& x = base[dyadic ? i->c : i->b];
  const Value& w = base[i->b];
  if (!entry.refusal || x.is_mark() || w.is_mark()) return false;
  vm.raised_ = entry.refusal(vm.cx_, dyadic ? w : Value(), x);
  return !vm.raised_.is_absent();
}

bool Machine::refuses_constant(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& constant = i->value(1);
  const Value& other = base[i->b];
  if (!entry.refusal || other.is_mark()) return false;
  const bool swapped = i->flags & Instruction::swapped;
  vm.raised_ = entry.refusal(vm.cx_, swapped ? constant : other, swapped ? other : constant);
  return !vm.raised_.is_absent();
}

bool Machine::refuses_call(Vm& vm, const Value& f, const Value& w, const Value& x) {
  if (!f.is_function() || x.is_mark()) return false;
  vm.raised_ = refusal_of(vm.cx_, f.function(), w, x);
  return !vm.raised_.is_absent();
}

void Machine::raise(Vm& vm, std::string message) { vm.raised_ = make_string(vm.cx_.heap, message); }

void Machine::no_truth(Vm& vm, const Value& v, const char* what) {
  raise(vm, std::string(what) + " must be 0 or 1 (got " + (v.is_number() ? number_text(v.number()) : "a " + kind_text(v)) + ")");
}

bool Machine::choice(Vm& vm, const Value& index, std::uint32_t count, bool nested, std::uint32_t& chosen) {
  const Value one =
      index.is_array() && index.array().rank() == 1 && index.array().length == 1 ? element(index.array(), 0) : index;
  std::int64_t i;
  if (nested && one.is_array()) {
    chosen = count;
    return true;
  }
  if (!one.is_number()) {
    raise(vm, "Choose: 𝔽 must give an index of a choice (got " + kind_text(index) + ")");
  } else if (!one.to_integer(i)) {
    raise(vm, "Choose: 𝔽 must give an integer (got " + number_text(one.number()) + ")");
  } else if (i < -static_cast<std::int64_t>(count) || i >= count) {
    raise(vm, "Choose: Index out of range (index " + number_text(one.number()) + ", " + std::to_string(count) + " choices)");
  } else {
    chosen = static_cast<std::uint32_t>(i < 0 ? i + count : i);
    return true;
  }
  return false;
}

namespace {

// Tells whether the result of a predicate holds.
bool holds(Vm& vm, const Value& v, Value& raised) {
  if (v.is_number() && (v.number() == 0 || v.number() == 1)) return v.number() == 1;
  Machine::no_truth(vm, v);
  throw Error(std::move(raised));
}

}  // namespace

bool Machine::test(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  Value w = fetch(base[i->b], i->flags & Instruction::consume_b);
  Value x = fetch(base[i->c], i->flags & Instruction::consume_c);
  return holds(vm, griddle::call_primitive(vm.cx_, entry, std::move(w), std::move(x)), vm.raised_);
}

bool Machine::test_constant(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  Value constant = i->value(1);
  Value other = fetch(base[i->b], i->flags & Instruction::consume_b);
  if (i->flags & Instruction::swapped) std::swap(other, constant);
  return holds(vm, griddle::call_primitive(vm.cx_, entry, std::move(other), std::move(constant)), vm.raised_);
}

}  // namespace griddle
