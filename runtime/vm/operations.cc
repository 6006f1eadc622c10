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

// Tells whether a list that ∾ takes over is worth growing in place.
bool grows(const Value& list) {
  constexpr std::size_t short_list = 8;
  return list.is_array() && list.array().length > short_list && list.array().refs == 1;
}
Value grown(Context& cx, const PrimitiveFunctionEntry& join, Value&& w, Value&& x) {
  const bool here = !w.array().data.elsewhere() && (x.is_atom() || !x.array().data.elsewhere());
  if (here && append(cx.heap, w, x)) return std::move(w);
  return call_primitive(cx, join, std::move(w), std::move(x));
}

}  // namespace

bool shorten(const PrimitiveFunctionEntry& take_or_drop, const Value& number, Value& list) {
  const double n = std::bit_cast<double>(number.bits());
  if (!list.is_array() || list.array().refs != 1 || list.array().rank() != 1) return false;
  const double length = static_cast<double>(list.array().length), kept = take_or_drop.glyph == U'↑' ? n : length + n;
  // Anything tagged is a NaN, which no comparison accepts.
  if (!(kept >= 1 && kept <= length) || kept != std::floor(kept)) return false;
  return keep_first(list, static_cast<std::size_t>(kept));
}

namespace {

// Calls a primitive on Nothing, or changes a variable by it.
[[gnu::noinline]] void monad_otherwise(Context& cx, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (i->flags & Instruction::modify)
    modify_by(cx, entry, base[i->a]);
  else
    put(base[i->a], fetch(base[i->b], i->flags & Instruction::consume_b));
}

}  // namespace

void Machine::monad(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  Value& x = base[i->b];
  if (i->flags & Instruction::modify || x.is_mark()) [[unlikely]]
    return monad_otherwise(vm.cx_, base, i);
  const bool consume = i->flags & Instruction::consume_b;
  if (vm.cx_.device != nullptr) [[unlikely]]
    return put(base[i->a], primitive_result(vm.cx_, entry, x, consume));
  if (entry.borrowing_monad != nullptr)
    if (const std::uint64_t result = list_monad(vm, entry, i, x); result != Value::absent_bits) {
      if (consume) drop_consumed(x);
      return put(base[i->a], Value::from_bits(result));
    }
  put(base[i->a], consume ? entry.host_monad(vm.cx_, std::move(x)) : entry.host_monad(vm.cx_, Value(x)));
}

namespace {

// Tells whether an instruction may compute on arrays where they are, before anything else is looked at. Nothing is no array
// and no atom, so that there is no result for it then.
inline bool may_borrow(const Context& cx, const PrimitiveFunctionEntry& entry, std::uint8_t flags) {
  return entry.borrowing_dyad != nullptr && cx.device == nullptr && !(flags & Instruction::modify);
}

// `asked` tells that the way for arrays that stay has declined already.
[[gnu::noinline]] void dyad_of_any(Context& cx, Value* base, const Instruction* i, bool asked);
[[gnu::noinline]] void dyad_of_any_and_constant(Context& cx, Value* base, const Instruction* i, bool asked);

}  // namespace

void Machine::dyad(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  // A list that is given away may grow in place.
  const bool may_grow = is_join(entry) && i->flags & Instruction::consume_b && grows(base[i->b]);
  if (may_grow || !may_borrow(vm.cx_, entry, i->flags)) return dyad_of_any(vm.cx_, base, i, false);
  if (i->flags & Instruction::consume_c && is_take_or_drop(entry) && shorten(entry, base[i->b], base[i->c])) {
    if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
    return put(base[i->a], std::move(base[i->c]));
  }
  const std::uint64_t result = list_dyad(vm, entry, i, base[i->b], base[i->c]);
  if (result == Value::absent_bits) [[unlikely]]
    return dyad_of_any(vm.cx_, base, i, true);
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  if (i->flags & Instruction::consume_c) drop_consumed(base[i->c]);
  put(base[i->a], Value::from_bits(result));
}

void Machine::dyad_constant(Vm& vm, Value* base, const Instruction* i) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  if (!may_borrow(vm.cx_, entry, i->flags)) return dyad_of_any_and_constant(vm.cx_, base, i, false);
  const Value& constant = i->value(1);
  const bool swapped = i->flags & Instruction::swapped;
  Value& other = base[i->b];
  if (i->flags & Instruction::consume_b && swapped && is_take_or_drop(entry) && shorten(entry, constant, other))
    return put(base[i->a], std::move(other));
  const std::uint64_t result = list_dyad(vm, entry, i, swapped ? constant : other, swapped ? other : constant);
  if (result == Value::absent_bits) [[unlikely]]
    return dyad_of_any_and_constant(vm.cx_, base, i, true);
  if (i->flags & Instruction::consume_b) drop_consumed(base[i->b]);
  put(base[i->a], Value::from_bits(result));
}

namespace {

void dyad_of_any(Context& cx, Value* base, const Instruction* i, bool asked) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  Value& w = base[i->b];
  Value& x = base[i->c];
  const bool consume_w = i->flags & Instruction::consume_b, consume_x = i->flags & Instruction::consume_c;
  if (i->flags & Instruction::modify) return modify_by(cx, entry, base[i->a], fetch(x, consume_x));
  if (i->flags & Instruction::maybe) {
    Value left = fetch(w, consume_w);
    put(base[i->a], call_maybe(cx, entry, std::move(left), fetch(x, consume_x)));
    return;
  }
  if (is_join(entry) && consume_w && grows(w)) {
    Value right = fetch(x, consume_x), left = std::move(w);
    put(base[i->a], grown(cx, entry, std::move(left), std::move(right)));
    return;
  }
  const bool declined = asked && (w.is_array() || x.is_array());
  if (Value result = declined ? Value() : short_result(cx, entry, w, x); !result.is_absent()) {
    if (consume_w) w = Value();
    if (consume_x) x = Value();
    put(base[i->a], std::move(result));
    return;
  }
  Value left = fetch(w, consume_w), right = fetch(x, consume_x);
  put(base[i->a], long_result(cx, entry, std::move(left), std::move(right)));
}

void dyad_of_any_and_constant(Context& cx, Value* base, const Instruction* i, bool asked) {
  const PrimitiveFunctionEntry& entry = *i->pointer<const PrimitiveFunctionEntry>(0);
  const Value& constant = i->value(1);
  if (i->flags & Instruction::modify) return modify_by(cx, entry, base[i->a], Value(constant));
  Value& other = base[i->b];
  const bool swapped = i->flags & Instruction::swapped, consume = i->flags & Instruction::consume_b;
  const Value &w = swapped ? constant : other, &x = swapped ? other : constant;
  const bool declined = asked && (w.is_array() || x.is_array());
  if (Value result = declined ? Value() : short_result(cx, entry, w, x); !result.is_absent()) {
    if (consume) other = Value();
    put(base[i->a], std::move(result));
    return;
  }
  Value left = fetch(other, consume), right = constant;
  if (swapped) std::swap(left, right);
  if (i->flags & Instruction::maybe)
    put(base[i->a], call_maybe(cx, entry, std::move(left), std::move(right)));
  else
    put(base[i->a], long_result(cx, entry, std::move(left), std::move(right)));
}

}  // namespace

void Machine::pick(Vm& vm, Value* base, const Instruction* i) {
  const Value& w = base[i->b];
  const Value& x = base[i->c];
  std::int64_t index;
  if (x.is_array() && x.array().rank() == 1 && w.to_integer(index)) {
    const Array& a = x.array();
    if (index < 0) index += static_cast<std::int64_t>(a.length);
    if (index >= 0 && static_cast<std::size_t>(index) < a.length && !a.data.elsewhere()) {
      Value result = element(a, static_cast<std::size_t>(index));
      if (i->flags & Instruction::consume_c) base[i->c] = Value();
      put(base[i->a], std::move(result));
      return;
    }
  }
  dyad(vm, base, i);
}

void Machine::length(Vm& vm, Value* base, const Instruction* i) {
  const Value& x = base[i->b];
  if (!x.is_array()) return monad(vm, base, i);
  std::size_t cells = x.array().cells();
  if (i->flags & Instruction::consume_b) base[i->b] = Value();
  put(base[i->a], Value(cells));
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

bool Machine::refuses_call(Vm& vm, const Value& f, const Value* arguments, bool dyadic) {
  if (!f.is_function() || arguments[0].is_mark()) return false;
  vm.raised_ = refusal_of(vm.cx_, f.function(), dyadic ? arguments[1] : Value(), arguments[0]);
  return !vm.raised_.is_absent();
}

void Machine::raise(Vm& vm, std::string message) { vm.raised_ = make_string(vm.cx_.heap, message); }

void Machine::no_truth(Vm& vm, const Value& v) {
  raise(vm, "Predicate: Value must be 0 or 1 (got " + (v.is_number() ? number_text(v.number()) : "a " + kind_text(v)) + ")");
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
