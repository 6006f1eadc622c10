// Calls from C++ into blocks, and the closures that carry them.
#include "runtime/bytecode/composition.h"
#include "runtime/vm/attempt.h"
#include "runtime/vm/block_undo.h"
#include "runtime/vm/machine.h"
#include "runtime/vm/wiring.h"

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

namespace {

Value composed(Context& cx, const Code& code, Environment* scope, bool dyadic, bool choices = false) {
  return result_or_absent([&] { return composition_of(cx, code, scope, dyadic ? Entry::dyad : Entry::monad, choices); });
}

}  // namespace

Value elementwise_form(Context& cx, const Value& f, bool dyadic) {
  if (!f.is_function() || f.function().kind != ObjectKind::block_function) return Value();
  Code& code = *static_cast<Code*>(static_cast<NativeObject*>(static_cast<const BlockFunction&>(f.function()).code));
  if (!code.leaf || code.reads) return Value();
  if (!code.formed[dyadic]) {
    code.forms[dyadic] = composed(cx, code, nullptr, dyadic);
    code.formed[dyadic] = true;
  }
  return code.forms[dyadic];
}

Value composed_by_block(Context& cx, const Value& f, bool dyadic, bool choices) {
  if (!f.is_function() || f.function().kind != ObjectKind::block_function) return Value();
  const BlockFunction& block = static_cast<const BlockFunction&>(f.function());
  return composed(cx, *code_of(block.code), block.scope, dyadic, choices);
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

// Attempts the parts of a function that only passes arguments on. Hands over what no other part needs.
Value attempt_wiring(Context& cx, const Wiring& wiring, Value w, Value x, Value& message) {
  using From = Wiring::From;
  cx.check_stack();
  const auto input = [&](const Wiring::Input& i, bool again) -> Value {
    Value left, right;
    if (i.from == From::both) left = again ? w : std::move(w);
    Value& one = i.from == From::w ? w : x;
    right = again ? one : std::move(one);
    return i.by == nullptr ? right : attempt(cx, *i.by, std::move(left), std::move(right), message);
  };
  const bool again = wiring.has_left() && (wiring.left.from == From::both || wiring.left.from == wiring.right.from);
  Value right = input(wiring.right, again);
  if (!message.is_absent()) return Value();
  Value left = wiring.has_left() ? input(wiring.left, false) : Value();
  return message.is_absent() ? attempt(cx, *wiring.last, std::move(left), std::move(right), message) : Value();
}

// Attempts what a choice of functions comes to.
Value attempt_choice(Context& cx, const Derived& d, Value w, Value x, Value& message) {
  const Value index = attempt(cx, d.f, w, x, message);
  if (!message.is_absent()) return Value();
  const std::span<Value> choices = d.g.array().boxes();
  // Leaves lists of indices to Pick.
  if (index.is_array()) return attempt(cx, call(cx, primitive(cx, Glyph::pick), index, d.g), std::move(w), std::move(x), message);
  std::uint32_t chosen;
  if (!Machine::choice(*cx.vm, index, static_cast<std::uint32_t>(choices.size()), false, chosen)) {
    message = Machine::take_raised(*cx.vm);
    return Value();
  }
  return attempt(cx, choices[chosen], std::move(w), std::move(x), message);
}

// Tells whether a function chooses one of a list.
bool is_choice(const Value& f) {
  if (applies_by(f) != Applies::to_tell_choice) return false;
  const Value& list = static_cast<const Derived&>(f.function()).g;
  return list.is_array() && list.array().is_list() && list.array().type() == ElementType::boxed;
}

}  // namespace

Value attempt(Context& cx, const Value& f, Value w, Value x, Value& message) {
  if (!f.is_function() || !is_block(f.function())) {
    if (!f.is_function()) return call_maybe(cx, f, std::move(w), std::move(x));
    message = refusal_of(cx, f.function(), w, x);
    if (!message.is_absent()) return Value();
    const bool computes = f.function().kind == ObjectKind::train && f.function().a != 0 && x.is_number() && w.is_absent();
    if (const Wiring wiring = computes ? Wiring() : wiring_of(f, !w.is_absent()))
      return attempt_wiring(cx, wiring, std::move(w), std::move(x), message);
    if (is_choice(f)) {
      cx.check_stack();
      return attempt_choice(cx, static_cast<const Derived&>(f.function()), std::move(w), std::move(x), message);
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
