// Calls from C++ into blocks, and the closures that carry them.
#include "runtime/bytecode/arithmetic_form.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/block_undo.h"
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

const Instruction* entry_of(const Code& code, Entry e) { return code.entry[static_cast<int>(e)]; }

// Applies a block modifier: keeps the operands of a deferred one, runs the body of any other.
Value block_derive(Context& cx, Modifier& self, Value f, Value g) {
  BlockModifier& m = static_cast<BlockModifier&>(self);
  const Code& code = *code_of(m.code);
  if (!code.deferred) {
    if (g.is_absent()) return cx.vm->enter(code, entry_of(code, Entry::monad), &m, m.scope, std::move(f));
    return cx.vm->enter(code, entry_of(code, Entry::monad), &m, m.scope, std::move(g), std::move(f));
  }
  retain(&m);
  Value modifier = m.a == 1 ? Value::modifier1(&m) : Value::modifier2(&m);
  return Value(static_cast<Function*>(
      make_derived_block(cx.heap, std::move(modifier), std::move(f), std::move(g), Machine::block_monad, Machine::block_dyad)));
}

Value undo(Context& cx, const Function& f, Entry one, Entry two, Value w, Value x) {
  BlockTarget t = block_target(f);
  bool dyadic = !w.is_mark();
  const Instruction* entry = entry_of(*t.code, dyadic ? two : one);
  if (!entry)
    fail(cx, std::string("Undo: 𝔽 is a block without an undo header for ") + (dyadic ? "two arguments" : "one argument"));
  if (dyadic) return cx.vm->enter(*t.code, entry, &f, t.scope, std::move(w), std::move(x));
  return cx.vm->enter(*t.code, entry, &f, t.scope, std::move(x));
}

}  // namespace

Value make_closure(Heap& heap, Code& code, Environment* scope) {
  if (code.type == BlockType::function) return make_block_function(heap, &code, scope, Machine::block_monad, Machine::block_dyad);
  return make_block_modifier(heap, code.type == BlockType::modifier1 ? 1 : 2, &code, scope, block_derive);
}

Value elementwise_form(Context& cx, const Value& f, bool dyadic) {
  if (!f.is_function() || f.function().kind != ObjectKind::block_function) return Value();
  Code& code = *static_cast<Code*>(static_cast<NativeObject*>(static_cast<const BlockFunction&>(f.function()).code));
  if (!code.leaf) return Value();
  if (!code.formed[dyadic]) {
    code.forms[dyadic] = arithmetic_form(cx, code, dyadic ? Entry::dyad : Entry::monad);
    code.formed[dyadic] = true;
  }
  return code.forms[dyadic];
}

Value called_by_block(Context& cx, const Value& f) {
  if (!f.is_function() || f.function().kind != ObjectKind::block_function) return Value();
  return applied_function(cx, *code_of(static_cast<const BlockFunction&>(f.function()).code));
}

Value composed_by_block(Context& cx, const Value& f, bool dyadic) {
  if (!f.is_function() || f.function().kind != ObjectKind::block_function) return Value();
  const BlockFunction& block = static_cast<const BlockFunction&>(f.function());
  return result_or_absent(
      [&] { return composition_of(cx, *code_of(block.code), block.scope, dyadic ? Entry::dyad : Entry::monad); });
}

Value refusal_of(Context& cx, const Function& f, const Value& w, const Value& x) {
  if (f.kind == ObjectKind::primitive_function) {
    const PrimitiveFunctionEntry& entry = *static_cast<const PrimitiveFunction&>(f).entry;
    return entry.refusal ? entry.refusal(cx, w, x) : Value();
  }
  if (f.kind != ObjectKind::native_function) return Value();
  const NativeFunction& native = static_cast<const NativeFunction&>(f);
  return native.refusal ? native.refusal(cx, f, w, x) : Value();
}

namespace {

// Attempts one function after the other.
Value attempt_atop(Context& cx, const Value& g, const Value& h, Value w, Value x, Value& message) {
  cx.check_stack();
  Value inner = attempt(cx, h, std::move(w), std::move(x), message);
  return message.is_absent() ? attempt(cx, g, Value(), std::move(inner), message) : Value();
}

// Attempts the parts of a train of three.
Value attempt_fork(Context& cx, const Train& t, Value w, Value x, Value& message) {
  cx.check_stack();
  Value right = attempt(cx, t.h, w, x, message);
  if (!message.is_absent()) return Value();
  Value left = attempt(cx, t.f, std::move(w), std::move(x), message);
  return message.is_absent() ? attempt(cx, t.g, std::move(left), std::move(right), message) : Value();
}

// Attempts what a choice of functions comes to.
Value attempt_choice(Context& cx, const Derived& d, Value w, Value x, Value& message) {
  const Value index = attempt(cx, d.f, w, x, message);
  if (!message.is_absent()) return Value();
  const std::span<Value> choices = d.g.array().boxes();
  // Leaves lists of indices to Pick.
  if (index.is_array()) return attempt(cx, call(cx, primitive(cx, U'⊑'), index, d.g), std::move(w), std::move(x), message);
  std::uint32_t chosen;
  if (!Machine::choice(*cx.vm, index, static_cast<std::uint32_t>(choices.size()), false, chosen)) {
    message = Machine::take_raised(*cx.vm);
    return Value();
  }
  return attempt(cx, choices[chosen], std::move(w), std::move(x), message);
}

// Attempts the parts of a derived function that only passes arguments on; gives false for any other.
bool attempt_derived(Context& cx, const Derived& d, Value& w, Value& x, Value& message, Value& result) {
  switch (glyph_of(d.modifier)) {
    case U'∘': result = attempt_atop(cx, d.f, d.g, std::move(w), std::move(x), message); return true;
    case U'⊸':
      if (d.f.is_operation() || !w.is_absent()) return false;
      result = attempt(cx, d.g, d.f, std::move(x), message);
      return true;
    case U'⟜':
      if (d.g.is_operation() || !w.is_absent()) return false;
      result = attempt(cx, d.f, std::move(x), d.g, message);
      return true;
    case U'◶':
      if (!d.g.is_array() || !d.g.array().is_list() || d.g.array().type() != ElementType::boxed) return false;
      result = attempt_choice(cx, d, std::move(w), std::move(x), message);
      return true;
    case U'˜': result = attempt(cx, d.f, x, w.is_absent() ? x : std::move(w), message); return true;
    default: return false;
  }
}

}  // namespace

Value attempt(Context& cx, const Value& f, Value w, Value x, Value& message) {
  if (!f.is_function() || !is_block(f.function())) {
    if (!f.is_function()) return call_maybe(cx, f, std::move(w), std::move(x));
    message = refusal_of(cx, f.function(), w, x);
    if (!message.is_absent()) return Value();
    Value result;
    if (f.function().kind == ObjectKind::derived) {
      cx.check_stack();
      if (attempt_derived(cx, static_cast<const Derived&>(f.function()), w, x, message, result)) return result;
    } else if (f.function().kind == ObjectKind::train) {
      const Train& t = static_cast<const Train&>(f.function());
      const bool computes = t.a != 0 && x.is_number();
      if (t.f.is_absent()) return attempt_atop(cx, t.g, t.h, std::move(w), std::move(x), message);
      if (!computes) return attempt_fork(cx, t, std::move(w), std::move(x), message);
    }
    return call_maybe(cx, f, std::move(w), std::move(x));
  }
  const Function& block = f.function();
  BlockTarget t = block_target(block);
  const Instruction* entry = entry_of(*t.code, w.is_absent() ? Entry::monad : Entry::dyad);
  return cx.vm->attempt(*t.code, entry, &block, t.scope, std::move(w), std::move(x), message);
}

Value block_undo(Context& cx, const Function& f, Value w, Value x) {
  return undo(cx, f, Entry::undo, Entry::undo_dyad, std::move(w), std::move(x));
}
Value block_undo_swapped(Context& cx, const Function& f, Value w, Value x) {
  return undo(cx, f, Entry::undo_swapped, Entry::undo_swapped_dyad, std::move(w), std::move(x));
}

}  // namespace griddle
