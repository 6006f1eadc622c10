// Variables of environments, and variables that a function changes.
#include "runtime/value/append.h"
#include "runtime/vm/loan.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

// Gives what ∾⟜k appends; null for any other function.
const Value* appended_by(const Value& f) {
  if (!f.is_function() || f.function().kind != ObjectKind::derived) return nullptr;
  const Derived& d = static_cast<const Derived&>(f.function());
  return glyph_of(d.f) == U'∾' && !d.g.is_operation() && glyph_of(d.modifier) == U'⟜' ? &d.g : nullptr;
}

// Tells whether a pure function changes its argument in place only where nothing can fail any more: a primitive does, and what
// hands the argument to one primitive last.
bool changes_last(const Value& f) {
  if (!f.is_function()) return true;
  if (f.function().kind == ObjectKind::primitive_function) return true;
  if (f.function().kind != ObjectKind::derived) return false;
  const Derived& d = static_cast<const Derived&>(f.function());
  switch (glyph_of(d.modifier)) {
    case U'⌾': return true;
    case U'˜':
    case U'⟜': return changes_last(d.f);
    case U'⊸': return changes_last(d.g);
    default: return false;
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
  Loan loan(variable);
  const Function& function = f.function();
  if (x.is_absent()) return function.monad(cx, function, variable);
  return function.dyad(cx, function, variable, std::move(x));
}

}  // namespace

void Machine::undefined(Vm& vm) { fail(vm.cx_, "Variable is used before it is defined"); }

void Machine::set_outer(Vm& vm, Value* base, const Instruction* i, Environment* e, std::uint32_t slot) {
  for (std::uint32_t hops = i->b; hops; hops--) e = e->parent;
  Value& variable = e->slots()[slot];
  if (i->flags & Instruction::checked && variable.is_absent()) fail(vm.cx_, "↩: Variable is changed before it is defined");
  variable = fetch(base[i->a], i->flags & Instruction::consume_b);
}

void Machine::modify_outer(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  for (std::uint32_t hops = i->b; hops; hops--) e = e->parent;
  Value& variable = e->slots()[i->c];
  if (variable.is_absent()) undefined(vm);
  const bool dyadic = i->flags & Instruction::dyadic;
  const Value computed = i->flags & Instruction::maybe ? std::move(base[i->a + dyadic]) : Value();
  const Value& f = computed.is_absent() ? reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[1]) : computed;
  Value x = dyadic ? std::move(base[i->a]) : Value();
  Value result = lend_to(vm.cx_, variable, f, std::move(x));
  variable = std::move(result);
}

void Machine::modify_local(Vm& vm, Value* base, const Instruction* i) {
  const bool dyadic = i->flags & Instruction::dyadic;
  const Value computed = i->flags & Instruction::maybe ? std::move(base[i->a + dyadic]) : Value();
  const Value& f = computed.is_absent() ? reinterpret_cast<const Value&>(reinterpret_cast<const std::uint64_t*>(i)[1]) : computed;
  Value x = dyadic ? std::move(base[i->a]) : Value();
  Value& variable = base[i->b];
  Value result = lend_to(vm.cx_, variable, f, std::move(x));
  variable = std::move(result);
}

}  // namespace griddle
