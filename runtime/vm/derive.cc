// Forming derived functions and trains.
#include "runtime/vm/machine.h"

namespace griddle {

namespace {

const Train& train(const Function& self) { return static_cast<const Train&>(self); }

// Calls the parts of a train. Those of most trains are functions, which needs no look at each call; the stack is checked once.
struct Functions {
  // Calls with arguments that others need afterwards.
  static Value call(Context& cx, const Value& f, const Value& x) { return call_part(cx, f.function(), x); }
  static Value call(Context& cx, const Value& f, const Value& w, const Value& x) { return call_function(cx, f.function(), w, x); }
  static Value call(Context& cx, const Value& f, Value&& x) { return call_part(cx, f.function(), std::move(x)); }
  static Value call(Context& cx, const Value& f, Value&& w, Value&& x) {
    return call_function(cx, f.function(), std::move(w), std::move(x));
  }
};
struct AnyParts {
  static Value call(Context& cx, const Value& f, const Value& x) { return griddle::call(cx, f, x); }
  static Value call(Context& cx, const Value& f, Value&& x) { return griddle::call(cx, f, std::move(x)); }
  static Value call(Context& cx, const Value& f, Value&& w, Value&& x) {
    return griddle::call(cx, f, std::move(w), std::move(x));
  }
  static Value call(Context& cx, const Value& f, const Value& w, const Value& x) { return griddle::call(cx, f, w, x); }
};

template <class Parts>
Value atop_monad(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return Parts::call(cx, t.g, Parts::call(cx, t.h, std::move(x)));
}
template <class Parts>
Value atop_dyad(Context& cx, const Function& self, Value w, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return Parts::call(cx, t.g, Parts::call(cx, t.h, std::move(w), std::move(x)));
}

template <class Parts>
Value fork_monad(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  Value right = Parts::call(cx, t.h, std::as_const(x));
  return Parts::call(cx, t.g, Parts::call(cx, t.f, std::move(x)), std::move(right));
}
template <class Parts>
Value fork_dyad(Context& cx, const Function& self, Value w, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  Value right = Parts::call(cx, t.h, std::as_const(w), std::as_const(x));
  return Parts::call(cx, t.g, Parts::call(cx, t.f, std::move(w), std::move(x)), std::move(right));
}

// A constant left tine gives itself, and stays where it is if the primitive in the middle can do with that.
template <class Parts>
Value with_constant(Context& cx, const Train& t, Value right) {
  if (t.g.is_function() && t.g.function().kind == ObjectKind::primitive_function)
    return Value::from_bits(call_dyad(cx, primitive_entry_of(t.g.function()), t.f.bits(), right.leak(), {.given = given_x}));
  return Parts::call(cx, t.g, Value(t.f), std::move(right));
}
template <class Parts>
Value bound_fork_monad(Context& cx, const Function& self, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return with_constant<Parts>(cx, t, Parts::call(cx, t.h, std::move(x)));
}
template <class Parts>
Value bound_fork_dyad(Context& cx, const Function& self, Value w, Value x) {
  cx.check_stack();
  const Train& t = train(self);
  return with_constant<Parts>(cx, t, Parts::call(cx, t.h, std::move(w), std::move(x)));
}

Value derive(Context& cx, const Value& modifier, Value f, Value g) {
  Modifier& m = modifier.modifier();
  return m.derive(cx, m, std::move(f), std::move(g));
}

void check_part(Context& cx, const Value& v, const char* where) {
  if (v.is_modifier()) fail(cx, std::string(where) + ": Modifiers cannot be called (got a " + kind_text(v) + ")");
}

}  // namespace

Value call_other(Context& cx, const Value& f) {
  if (f.is_modifier()) fail(cx, "Call: Modifiers cannot be called (got a " + kind_text(f) + ")");
  if (f.is_mark()) fail(cx, "Call: Nothing cannot be called");
  return f;
}

Value derive1(Context& cx, const Value& modifier, Value f) {
  if (!modifier.is_modifier1()) fail(cx, "Modifier application: Expected a 1-modifier (got a " + kind_text(modifier) + ")");
  return derive(cx, modifier, std::move(f), Value());
}
Value derive2(Context& cx, const Value& modifier, Value f, Value g) {
  if (!modifier.is_modifier2()) fail(cx, "Modifier application: Expected a 2-modifier (got a " + kind_text(modifier) + ")");
  return derive(cx, modifier, std::move(f), std::move(g));
}

namespace {

struct TrainCodes {
  MonadCode monad;
  DyadCode dyad;
};
template <class Parts>
constexpr TrainCodes atop_codes = {atop_monad<Parts>, atop_dyad<Parts>};
template <class Parts>
constexpr TrainCodes fork_codes = {fork_monad<Parts>, fork_dyad<Parts>};
template <class Parts>
constexpr TrainCodes bound_fork_codes = {bound_fork_monad<Parts>, bound_fork_dyad<Parts>};

TrainCodes codes_of_atop(const Value& g, const Value& h) {
  return g.is_function() && h.is_function() ? atop_codes<Functions> : atop_codes<AnyParts>;
}
TrainCodes codes_of_fork(const Value& f, const Value& g, const Value& h) {
  if (!f.is_function()) return g.is_function() && h.is_function() ? bound_fork_codes<Functions> : bound_fork_codes<AnyParts>;
  return g.is_function() && h.is_function() ? fork_codes<Functions> : fork_codes<AnyParts>;
}

}  // namespace

Value make_atop(Context& cx, Value&& g, Value&& h) {
  check_part(cx, h, "Train");
  check_part(cx, g, "Train");
  const TrainCodes codes = codes_of_atop(g, h);
  return Value(static_cast<Function*>(make_train(cx.heap, Value(), std::move(g), std::move(h), codes.monad, codes.dyad)));
}
Value make_fork(Context& cx, Value&& f, Value&& g, Value&& h) {
  check_part(cx, h, "Train");
  check_part(cx, g, "Train");
  check_part(cx, f, "Train");
  const TrainCodes codes = codes_of_fork(f, g, h);
  return Value(static_cast<Function*>(make_train(cx.heap, std::move(f), std::move(g), std::move(h), codes.monad, codes.dyad)));
}

// --- what the loop forms from slots. Where memory that was freed before is at hand, that takes no calls.

namespace {

// Gives a function of which only the references are to be filled in; null where no memory is at hand.
template <class T>
T* at_hand(Heap& heap, ObjectKind kind, std::uint8_t a, std::uint8_t flags, MonadCode monad, DyadCode dyad) {
  void* memory = heap.allocate_at_hand(sizeof(T));
  if (memory == nullptr) [[unlikely]]
    return nullptr;
  T* o = static_cast<T*>(memory);
  static_cast<Object&>(*o) = Object{1, kind, a, 0, flags};
  o->monad = monad;
  o->dyad = dyad;
  return o;
}

// Moves what a slot holds to where nothing is yet. The slot keeps the bits, which nobody reads.
void take(Value& to, const Value& slot) { new (&to) Value(Value::from_bits(slot.bits())); }

void put_function(Value& slot, Function* f) { new (&slot) Value(f); }

[[gnu::noinline]] void make_any_atop(Context& cx, Value* slots) {
  slots[0] = make_atop(cx, std::move(slots[1]), std::move(slots[0]));
}
[[gnu::noinline]] void make_any_fork(Context& cx, Value* slots) {
  if (slots[2].is_mark()) return make_any_atop(cx, slots);
  slots[0] = make_fork(cx, std::move(slots[2]), std::move(slots[1]), std::move(slots[0]));
}
[[gnu::noinline]] void derive_any1(Context& cx, Value* slots) {
  const Value modifier = std::move(slots[0]);
  slots[0] = derive1(cx, modifier, std::move(slots[1]));
}
[[gnu::noinline]] void derive_any2(Context& cx, Value* slots) {
  const Value modifier = std::move(slots[1]);
  slots[0] = derive2(cx, modifier, std::move(slots[2]), std::move(slots[0]));
}

// Tells whether a modifier is a block that keeps its operands.
bool is_deferred_block(const Value& modifier) {
  const Modifier& m = modifier.modifier();
  return m.kind == ObjectKind::block_modifier && code_of(static_cast<const BlockModifier&>(m).code)->deferred;
}

// Applies a primitive modifier; `f` and `g` are taken over.
void derive_from_slots(Context& cx, Value& result, const Value& modifier, Value& f, Value& g) {
  const PrimitiveModifierEntry& entry = *static_cast<const PrimitiveModifier&>(modifier.modifier()).entry;
  Derived* d = at_hand<Derived>(cx.heap, ObjectKind::derived, 0, Function::unexamined, entry.monad, entry.dyad);
  if (d == nullptr) [[unlikely]] {
    result = derive_primitive(cx, Value(modifier), std::move(f), std::move(g));
    return;
  }
  new (&d->modifier) Value(modifier);
  take(d->f, f);
  take(d->g, g);
  d->rule = nullptr;
  d->kernels = nullptr;
  d->direct = nullptr;
  put_function(result, d);
  if (entry.attach != nullptr) entry.attach(cx, *d);
}

}  // namespace

void Machine::atop(Vm& vm, Value* base, const Instruction* i) {
  Value* slots = base + i->a;  // h, g
  if (slots[0].is_function() && slots[1].is_function()) [[likely]] {
    constexpr TrainCodes codes = atop_codes<Functions>;
    if (Train* t = at_hand<Train>(vm.cx_.heap, ObjectKind::train, 0, Function::unexamined, codes.monad, codes.dyad)) {
      new (&t->f) Value;
      take(t->g, slots[1]);
      take(t->h, slots[0]);
      return put_function(slots[0], t);
    }
  }
  make_any_atop(vm.cx_, slots);
}

void Machine::fork(Vm& vm, Value* base, const Instruction* i) {
  Value* slots = base + i->a;  // h, g, f
  const Value& f = slots[2];
  if (slots[0].is_function() && slots[1].is_function() && !f.is_mark() && !f.is_modifier()) [[likely]] {
    const TrainCodes& codes = f.is_function() ? fork_codes<Functions> : bound_fork_codes<Functions>;
    if (Train* t = at_hand<Train>(vm.cx_.heap, ObjectKind::train, 0, Function::unexamined, codes.monad, codes.dyad)) {
      take(t->f, f);
      take(t->g, slots[1]);
      take(t->h, slots[0]);
      return put_function(slots[0], t);
    }
  }
  make_any_fork(vm.cx_, slots);
}

void Machine::derive1(Vm& vm, Value* base, const Instruction* i) {
  Value* slots = base + i->a;  // modifier, f
  if (slots[0].is_modifier1() && is_deferred_block(slots[0])) [[likely]] {
    if (DerivedBlock* d = at_hand<DerivedBlock>(vm.cx_.heap, ObjectKind::derived_block, 0, 0, block_monad, block_dyad)) {
      take(d->modifier, slots[0]);
      take(d->f, slots[1]);
      new (&d->g) Value;
      return put_function(slots[0], d);
    }
  }
  derive_any1(vm.cx_, slots);
}

void Machine::derive2(Vm& vm, Value* base, const Instruction* i) {
  Value* slots = base + i->a;  // g, modifier, f
  if (slots[1].is_modifier2() && is_deferred_block(slots[1])) [[likely]] {
    if (DerivedBlock* d = at_hand<DerivedBlock>(vm.cx_.heap, ObjectKind::derived_block, 0, 0, block_monad, block_dyad)) {
      take(d->modifier, slots[1]);
      take(d->f, slots[2]);
      take(d->g, slots[0]);
      return put_function(slots[0], d);
    }
  }
  derive_any2(vm.cx_, slots);
}

void Machine::derive1_primitive(Vm& vm, Value* base, const Instruction* i) {
  Value& f = base[i->a];
  Value none;
  derive_from_slots(vm.cx_, f, i->value(0), f, none);
  if (i->flags & Instruction::for_effect) static_cast<Derived&>(f.function()).b = Derived::for_effect;
}

void Machine::derive2_primitive(Vm& vm, Value* base, const Instruction* i) {
  Value* slots = base + i->a;  // g, f
  derive_from_slots(vm.cx_, slots[0], i->value(0), slots[1], slots[0]);
}

char32_t glyph_of(const Value& v) {
  if (!v.is_operation()) return 0;
  switch (v.object()->kind) {
    case ObjectKind::primitive_function: return static_cast<const PrimitiveFunction&>(v.function()).entry->glyph;
    case ObjectKind::primitive_modifier: return static_cast<const PrimitiveModifier&>(v.modifier()).entry->glyph;
    default: return 0;
  }
}

}  // namespace griddle
