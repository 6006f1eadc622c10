// Variables of environments, and variables that a function changes.
#include <optional>

#include "runtime/value/append.h"
#include "runtime/vm/loan.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/scalar.h"

namespace griddle {

namespace {

// Gives what ∾⟜k appends; null for any other function.
const Value* appended_by(const Value& f) {
  if (combinator_by(f) != Combinator::after) return nullptr;
  const Derived& d = static_cast<const Derived&>(f.function());
  return is_join(d.f) && !d.g.is_operation() ? &d.g : nullptr;
}

// Gives ∾⟜g, as in v∾⟜<↩x; null for any other function.
const Derived* join_after(const Value& f) {
  if (combinator_by(f) != Combinator::after) return nullptr;
  const Derived& d = static_cast<const Derived&>(f.function());
  return is_join(d.f) ? &d : nullptr;
}

// Tells whether a function selects a part by itself: a primitive, or what has data bound to one.
bool selects(const Value& g) {
  if (const PrimitiveFunctionEntry* p = primitive_entry(g)) return p->one.selects;
  if (combinator_by(g) != Combinator::before) return false;
  const Derived& d = static_cast<const Derived&>(g.function());
  const PrimitiveFunctionEntry* const p = primitive_entry(d.g);
  return !d.f.is_operation() && p != nullptr && p->two.selects;
}

// Tells whether a pure function changes its argument in place only where nothing can fail any more: a primitive does, what hands
// the argument to one primitive last, and Under of what selects, which puts new elements back as the last thing. Under of others
// may compute in place what is selected, before 𝔽 fails.
bool changes_last(const Value& f) {
  if (!f.is_function()) return true;
  if (f.function().kind == ObjectKind::primitive_function) return true;
  if (f.function().kind != ObjectKind::derived) return false;
  const Derived& d = static_cast<const Derived&>(f.function());
  switch (combinator_of(d.modifier)) {
    case Combinator::swap:
    case Combinator::after: return changes_last(d.f);
    case Combinator::before: return !d.f.is_operation() && changes_last(d.g);
    default: return applies_by(f) == Applies::to_selected && selects(d.g);
  }
}

// Computes `variable F x` (x is absent for one argument), lending the variable to F where no code of the program could see it.
Value lend_to(Context& cx, Value& variable, const Value& f, Value x) {
  if (const Value* k = x.is_absent() ? appended_by(f) : nullptr) {
    Value item = *k;
    if (append(cx.heap, variable, item)) return std::move(variable);
  }
  if (!f.is_function() || !f.function().is_pure() || !changes_last(f))
    return x.is_absent() ? call(cx, f, variable) : call(cx, f, variable, std::move(x));
  if (const Derived* join = x.is_absent() ? nullptr : join_after(f)) {
    x = call(cx, join->g, std::move(x));
    if (append(cx.heap, variable, x)) return std::move(variable);
    const Loan loan(variable);
    return call(cx, join->f, variable, std::move(x));
  }
  const Loan loan(variable);
  const Function& function = f.function();
  if (x.is_absent()) return function.monad(cx, function, variable);
  return function.dyad(cx, function, variable, std::move(x));
}

// Finds the element that k⊸⊑ picks, where k is an index into a list, or a list of one index for each axis.
std::optional<std::size_t> place_picked(const Value& k, const Array& x) {
  const auto inside = [](double index, std::size_t length) -> std::optional<std::size_t> {
    if (index < 0) index += static_cast<double>(length);
    // Anything tagged is a NaN, which no comparison accepts.
    if (!(index >= 0 && index < static_cast<double>(length))) return {};
    const std::size_t i = static_cast<std::size_t>(index);
    return static_cast<double>(i) == index ? std::optional(i) : std::nullopt;
  };
  if (!k.is_array()) return x.is_list() ? inside(k.number(), x.length) : std::nullopt;
  const Array& indices = k.array();
  if (!indices.is_list() || !is_number(indices.type()) || indices.length != x.rank() || x.rank() == 0) return {};
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < x.rank(); axis++) {
    const std::size_t length = x.shape()[axis];
    const std::optional<std::size_t> i = inside(number_at(indices, axis), length);
    if (!i) return {};
    place = place * length + *i;
  }
  return place;
}

// Gives what a pure F makes of an element; absent where F may run code of the program.
Value changed(Context& cx, Array& a, std::size_t place, const Value& f) {
  if (!f.is_operation()) return f;
  if (!f.is_function() || !f.function().is_pure()) return Value();
  if (a.type() == ElementType::boxed) return lend_to(cx, a.boxes()[place], f, Value());
  Value old = plain_element(a, place);
  if (const double v = on_numbers(f, old); v == v) return v;
  return call(cx, f, std::move(old));
}

// Gives an array with another element, which is this one where it may be changed.
Value with_element(Context& cx, Value array, std::size_t place, Value v) {
  const ElementType type = common_type(array.array().type(), element_type_of(v));
  Ref<Array> result = make_writable(cx.heap, widened(cx.heap, std::move(array), type));
  store(*result, place, std::move(v));
  return to_value(std::move(result));
}

// Changes an element by a function that may run code of the program, which may see and change the variable meanwhile.
void change_by_call(Context& cx, Value& variable, std::size_t place, const Value& f) {
  Value kept = variable;
  Value v = call(cx, f, element(kept.array(), place));
  if (variable.same(kept)) {
    kept = Value();
    Array& a = variable.array();
    if (a.refs == 1 && try_store(a, place, v)) return a.forget_order();
    kept = variable;
  }
  variable = with_element(cx, std::move(kept), place, std::move(v));
}

// Changes an element where nobody else sees the array, and where it has the type for it; gives false where that is not so.
bool change_in_place(Context& cx, Value& variable, const Value& k, const Value& f) {
  if (!variable.is_array() || variable.array().refs != 1) return false;
  Array& a = variable.array();
  if (a.is_view()) return false;
  const std::optional<std::size_t> place = place_picked(k, a);
  // The first element may be what the fill comes from.
  if (!place || (*place == 0 && a.fill_kind() == FillKind::of_first)) return false;
  if (f.is_function() && !f.function().is_pure()) {
    change_by_call(cx, variable, *place, f);
    return true;
  }
  Value v = changed(cx, a, *place, f);
  if (v.is_absent() || !try_store(a, *place, v)) return false;
  a.forget_order();
  return true;
}

// Changes an element, by data or a pure function, where others see the array or its type does not hold what comes; gives false
// for anything else.
bool change_in_copy(Context& cx, Value& variable, const Value& k, const Value& f) {
  if (!variable.is_array() || variable.array().data.elsewhere()) return false;
  if (f.is_operation() && !(f.is_function() && f.function().is_pure())) return false;
  const std::optional<std::size_t> place = place_picked(k, variable.array());
  if (!place) return false;
  Value v = f.is_function() ? call(cx, f, element(variable.array(), *place)) : f;
  Value result;
  {
    const Loan loan(variable);
    result = with_element(cx, variable, *place, std::move(v));
  }
  variable = std::move(result);
  return true;
}

}  // namespace

void Machine::undefined(Vm& vm) { fail(vm.cx_, "Variable is used before it is defined"); }

void Machine::set_outer(Vm& vm, Value* base, const Instruction* i, Environment* e, std::uint32_t slot) {
  for (std::uint32_t hops = i->b; hops; hops--) e = e->parent;
  Value& variable = e->slots()[slot];
  if (i->flags & Instruction::checked && variable.is_absent()) fail(vm.cx_, "↩: Variable is changed before it is defined");
  variable = fetch(base[i->a], i->flags & Instruction::consume_b);
}

namespace {

// Gives the primitive that a function is, or that it swaps the arguments of; null for any other function.
const PrimitiveFunctionEntry* primitive_within(const Value& f, bool& swapped) {
  if (!f.is_function()) return nullptr;
  const Function* function = &f.function();
  if (function->kind == ObjectKind::derived) {
    const Derived& d = static_cast<const Derived&>(*function);
    if (combinator_of(d.modifier) != Combinator::swap || !d.f.is_function()) return nullptr;
    function = &d.f.function();
    swapped = true;
  }
  return function->kind == ObjectKind::primitive_function ? &primitive_entry_of(*function) : nullptr;
}

}  // namespace

// Computes `variable F x` (x is absent for one argument), and keeps the result in the variable.
inline void Machine::change(Vm& vm, Value& variable, const Instruction* i, const Value& f, Value x) {
  bool swapped = false;
  const PrimitiveFunctionEntry* const entry = x.is_absent() ? nullptr : primitive_within(f, swapped);
  Value result;
  if (entry != nullptr && remakes(*entry, variable)) {
    std::uint64_t left = variable.bits(), right = x.bits();
    if (swapped) std::swap(left, right);
    std::uint64_t bits = dyad_again(vm, *entry, i, left, right);
    if (bits == Value::absent_bits) {
      x.leak();
      bits = call_dyad(vm.cx_, *entry, left, right, {&vm.recent_dyads_.at(i), swapped ? given_w : given_x});
    }
    result = Value::from_bits(bits);
  } else {
    result = lend_to(vm.cx_, variable, f, std::move(x));
  }
  variable = std::move(result);
}

void Machine::modify_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  for (std::uint32_t hops = i->b; hops; hops--) e = e->parent;
  Value& variable = e->slots()[i->c];
  if (variable.is_absent()) undefined(vm);
  const bool dyadic = i->flags & Instruction::dyadic;
  const Value computed = i->flags & Instruction::maybe ? std::move(base[i->a + dyadic]) : Value();
  const Value& f = computed.is_absent() ? i->value(0) : computed;
  change(vm, variable, i, f, dyadic ? std::move(base[i->a]) : Value());
}

void Machine::modify_local(Vm& vm, Value* base, const Instruction* i) {
  const bool dyadic = i->flags & Instruction::dyadic;
  const Value computed = i->flags & Instruction::maybe ? std::move(base[i->a + dyadic]) : Value();
  const Value& f = computed.is_absent() ? i->value(0) : computed;
  change(vm, base[i->b], i, f, dyadic ? std::move(base[i->a]) : Value());
}

void Machine::change_element(Vm& vm, Value* operands, Value& variable) {
  if (variable.is_absent()) undefined(vm);
  Value& k = operands[0];
  Value& f = operands[1];
  if (change_in_place(vm.cx_, variable, k, f) || change_in_copy(vm.cx_, variable, k, f)) {
    k = Value();
    f = Value();
    return;
  }
  const auto modifier = [&](Glyph glyph, Value first, Value second) {
    return griddle::derive2(vm.cx_, primitive(vm.cx_, glyph), std::move(first), std::move(second));
  };
  Value picks = modifier(Glyph::before, std::move(k), primitive(vm.cx_, Glyph::pick));
  const Value under = modifier(Glyph::under, std::move(f), std::move(picks));
  Value result = lend_to(vm.cx_, variable, under, Value());
  variable = std::move(result);
}

}  // namespace griddle
