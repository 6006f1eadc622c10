// Machine: what the loop does out of line, because it is rare, long or may fail.
//
// Each function carries out one instruction on the slots of the frame. Operands that the instruction consumes are moved out of
// their slots first, so that the slots are in order whenever an Error leaves. Results are written over slots that hold nothing.
#pragma once

#include <initializer_list>
#include <new>

#include "runtime/value/append.h"
#include "runtime/value/remote.h"
#include "runtime/vm/scalar.h"
#include "runtime/vm/stepping.h"
#include "runtime/vm/vm.h"

namespace griddle {

// Where a call of a block goes.
struct BlockTarget {
  const Code* code;
  Environment* scope;
};

inline const Code* code_of(const Object* native) {
  // A reference is never null: no test.
  return &static_cast<const Code&>(static_cast<const NativeObject&>(*native));
}

// Gives the target of a block function, or of a deferred block modifier with its operands.
inline BlockTarget block_target(const Function& f) {
  if (f.kind == ObjectKind::block_function) [[likely]] {
    const BlockFunction& b = static_cast<const BlockFunction&>(f);
    return {code_of(b.code), b.scope};
  }
  const BlockModifier& m = static_cast<const BlockModifier&>(static_cast<const DerivedBlock&>(f).modifier.modifier());
  return {code_of(m.code), m.scope};
}

// Tells whether a function is a block, so that it has a target.
inline bool is_block(const Function& f) { return f.kind == ObjectKind::block_function || f.kind == ObjectKind::derived_block; }

// Writes over a slot that holds nothing.
inline void put(Value& slot, Value v) { new (&slot) Value(std::move(v)); }

// Releases what an instruction consumes.
inline void drop_consumed(Value& slot) { release_bits(slot.leak()); }

inline Value fetch(Value& slot, bool consume) { return consume ? std::move(slot) : slot; }

// Tells whether a primitive makes a new value of a variable that it changes, by the way that the site remembers. Otherwise the
// variable is lent to the primitive, and ∾ always grows the list that is there.
inline bool remakes(const PrimitiveFunctionEntry& entry, const Value& variable) {
  return !variable.is_array() || (is_remade(variable.array()) && !is_join(entry));
}

// Goes outward from an environment; most variables are few steps away.
template <class E>
inline E* outward(E* e, unsigned hops) {
  if (hops == 0) return e;
  e = e->parent;
  if (hops == 1) [[likely]]
    return e;
  e = e->parent;
  while (hops-- > 2) [[unlikely]] e = e->parent;
  return e;
}

// Tells whether an array can be changed by whoever takes it over.
inline bool is_held_once(const Value& v) { return v.is_array() && v.array().refs == 1; }

// Tells whether ∾ may put what one of its operands holds into the memory of the other one, which it consumes.
inline bool may_grow(const Instruction* i, const Value* values) {
  const Value &w = values[i->b], &x = values[i->c];
  if (i->flags & Instruction::consume_b && is_held_once(w) && !is_remade(w.array())) return true;
  return i->flags & Instruction::consume_c && is_held_once(x) &&
         is_prepended(w.is_array() ? w.array().length : 1, x.array().length);
}

inline std::size_t word_of(const Code& code, const Instruction* i) {
  return static_cast<std::size_t>(reinterpret_cast<const std::uint64_t*>(i) - code.words.get());
}

struct Machine {
  // Computes on operands that stay, as this instruction did the last time. Give the bits of the result; those of the absent value
  // where this is another function, or operands of another kind.
  static std::uint64_t dyad_again(Vm& vm, const PrimitiveFunctionEntry& entry, const Instruction* i, std::uint64_t w,
                                  std::uint64_t x) {
    RecentDyad& recent = vm.recent_dyads_.at(i);
    return recent.entry == &entry ? recent.compute(vm.cx_, w, x, recent) : Value::absent_bits;
  }
  // The same where an instruction changes a variable, or where an operand may be Nothing; gives false where it has done nothing.
  static bool dyad_again_otherwise(Vm&, Value* base, const Instruction*);
  static std::uint64_t monad_again(Vm& vm, const PrimitiveFunctionEntry& entry, const Instruction* i, std::uint64_t x) {
    RecentMonad& recent = vm.recent_monads_.at(i);
    return recent.entry == &entry ? recent.compute(vm.cx_, x, recent) : Value::absent_bits;
  }
  // Tells whether call sites remember what served: not where a device is to do all work.
  static bool may_remember(const Context& cx) { return cx.device == nullptr || !cx.device->forced; }
  // The same for a derived function that has a direct way. An array that is not shared may be taken over.
  static std::uint64_t direct_again(Vm& vm, const Derived& derived, const Instruction* i, const Value& x) {
    RecentMonad& recent = vm.recent_monads_.at(i);
    const std::uint64_t kernels = reinterpret_cast<std::uintptr_t>(derived.kernels);
    return kernels != 0 && recent.function == kernels ? recent.compute(vm.cx_, x.bits(), recent) : Value::absent_bits;
  }
  static std::uint64_t direct(Vm& vm, const Derived& derived, const Instruction* i, const Value& x) {
    Context& cx = vm.cx_;
    if (cx.observer != nullptr) [[unlikely]]
      return cx.observer->direct(cx, derived, x);
    return derived.direct(cx, derived, x, may_remember(cx) ? &vm.recent_monads_.at(i) : nullptr);
  }

  // Runs a leaf block on arguments that are numbers, in the slots from `base` on; the result lies in the first. Gives false where
  // something else than numbers turns up.
  static bool run_leaf(const Instruction*, std::uint64_t* base, const Environment* scope);

  // Primitives on any values.
  static void monad(Vm&, Value* base, const Instruction*);
  static void dyad(Vm&, Value* base, const Instruction*);
  // One operand is the immediate word.
  static void dyad_constant(Vm&, Value* base, const Instruction*);
  // Computes an expression at once; gives false where that does not pay, as it never does for shorter arrays.
  static bool fused(Vm&, Value* base, const Instruction*, const Environment*);
  // Finds the first element of a result in place of both calls; gives how far to jump, or 0 where that is not quick.
  static std::int32_t first_of(Vm&, Value* base, const Instruction*, bool dyadic);
  // Makes windows or groups and calls what folds them, at once; gives how far to jump, or 0 where that does not go: nothing has
  // happened.
  static std::int32_t fold_parts(Vm&, Value* base, const Instruction*, bool dyadic);
  // Does what a primitive with a refusal does; where it refuses, leaves the operands in place, stores the message in the machine
  // and gives false.
  static bool require(Vm&, Value* base, const Instruction*, bool dyadic);
  // Tells whether the primitive of an instruction, with slots or one slot and a constant as operands, says that it will fail, and
  // stores its message in the machine.
  static bool refuses(Vm&, Value* base, const Instruction*, bool dyadic);
  static bool refuses_constant(Vm&, Value* base, const Instruction*);
  // The same for a function that is called on x and w, which is absent where there is one argument.
  static bool refuses_call(Vm&, const Value& f, const Value& w, const Value& x);
  // Stores the message of an error in the machine, for the loop to raise.
  static void raise(Vm&, std::string message);
  // Takes that message back, for a caller that handles it.
  static Value take_raised(Vm& vm) { return std::move(vm.raised_); }
  // Tells whether a predicate holds.
  static bool test(Vm&, Value* base, const Instruction*);
  static bool test_constant(Vm&, Value* base, const Instruction*);
  // The loop of ¨ over a block that runs in place, whose slots begin at `slots` (ElementLoop). Tells whether there is something
  // to do; the result takes the place of x otherwise.
  static bool begin_each(Vm&, Value* slots, unsigned over, bool for_effect);
  // Brings the next elements; gives false behind the last ones.
  static bool next_of_each(Vm&, Value* slots, unsigned over);
  static void keep_of_each(Value* slots);
  static void end_each(Vm&, Value* slots, unsigned over);
  // Tells whether an argument has so many elements that a function meets all of them, or is groups on a device, which may fold
  // them. `limit` is what each_begin says.
  static bool is_longer(const Value* slots, const Instruction* begin);
  // The loop of ´. Gives false where that is for the function as a value.
  static bool begin_fold(Value* slots, bool dyadic);
  static bool next_of_fold(Value* slots);
  // Raises what is wrong with the value of a predicate, which is neither 0 nor 1.
  static void no_truth(Vm&, const Value&, const char* what = "Predicate: Value");
  // Stores which of the choices an index means: `count` for nested indices, where the instruction has a way for them. Otherwise
  // raises an error and gives false.
  static bool choice(Vm&, const Value& index, std::uint32_t count, bool nested, std::uint32_t& chosen);

  // Follows ◶ to the function that it calls, which stays where it is; `arguments` are x and, if dyadic, w.
  static const Value& chosen(Vm&, const Value& f, const Value* arguments, bool dyadic);
  // Calls a primitive function on operands that stay, or on x and, if dyadic, w, which lie behind each other: then the result
  // takes the place of x.
  static std::uint64_t call_primitive(Vm& vm, const Instruction* i, const PrimitiveFunctionEntry& entry, const Value& x) {
    return entry.monad(vm.cx_, x.bits(), {.site = &vm.recent_monads_.at(i)});
  }
  static std::uint64_t call_primitive(Vm& vm, const Instruction* i, const PrimitiveFunctionEntry& entry, const Value& w,
                                      const Value& x) {
    return call_dyad(vm.cx_, entry, w.bits(), x.bits(), {.site = &vm.recent_dyads_.at(i)});
  }
  static void call_primitive(Vm&, const Instruction*, const PrimitiveFunctionEntry&, Value* arguments, bool dyadic);
  // The same for a native function.
  static void call_native(Vm&, Value* arguments, const Function&, bool dyadic);
  // Calls through C++.
  static void call(Vm&, Value* base, const Instruction*, const Value& f, bool dyadic);
  static void call_stacked(Vm&, Value* base, const Instruction*, bool dyadic);  // x, f, w
  // The same in an activation that `attempt` entered: gives false where a message was stored instead of an error thrown.
  static bool attempt_call(Vm&, Value* base, const Instruction*, const Value& f, bool dyadic);
  static bool attempt_stacked(Vm&, Value* base, const Instruction*, bool dyadic);
  static const Value& operand(const Frame& frame, int which) {
    const DerivedBlock& d = static_cast<const DerivedBlock&>(*frame.self);
    return which ? d.g : d.f;
  }
  // The codes of blocks.
  static Value block_monad(Context&, const Function& self, Value x);
  static Value block_dyad(Context&, const Function& self, Value w, Value x);
  // Fails where a frame more would be too many, or where the host has asked for an interrupt.
  static void check_call(Vm&);
  static void no_body(Vm&, const Frame&, const Value* base, const Instruction&);  // raises

  // Variables.
  static const Value& outer(Vm& vm, const Environment* e, std::uint32_t hops, std::uint32_t slot) {
    for (; hops; hops--) e = e->parent;
    const Value& v = e->slots()[slot];
    if (v.is_absent()) [[unlikely]]
      undefined(vm);
    return v;
  }
  [[noreturn]] static void undefined(Vm&);
  static void set_outer(Vm&, Value* base, const Instruction*, Environment*, std::uint32_t slot);
  static void change(Vm&, Value& variable, const Instruction*, const Value& f, Value x);
  static void modify_outer(Vm&, Value* base, const Instruction*, Environment*);
  static void modify_local(Vm&, Value* base, const Instruction*);
  // Computes `variable F⌾(k⊸⊑)↩`, where k and F lie behind each other.
  static void change_element(Vm&, Value* operands, Value& variable);

  // Making values and taking them apart.
  static void list(Vm&, Value* base, const Instruction*);
  static void join_lists(Vm&, Value* base, const Instruction*);
  static void derive1(Vm&, Value* base, const Instruction*);
  static void derive2(Vm&, Value* base, const Instruction*);
  static void derive1_primitive(Vm&, Value* base, const Instruction*);
  static void derive2_primitive(Vm&, Value* base, const Instruction*);
  static void atop(Vm&, Value* base, const Instruction*);
  static void fork(Vm&, Value* base, const Instruction*);
  static void closure(Vm&, Value* base, const Instruction*, Environment*);
  static void scoped(Vm&, Value* base, const Instruction*, Environment*);
  // Gives false where it raises an error.
  static bool field(Vm&, Value* base, const Instruction*);
  // The same for a kind of namespace that the instruction has not met lately.
  static bool unknown_field(Vm&, Value* base, const Instruction*);
  static void name_space(Vm&, Value* base, const Instruction*, Environment*);
  static void modifier_self(Value* base, const Instruction*, const Object* self);
  // Tells whether the value matched; the mismatch is the last immediate word. Where nothing else may match, raises an error.
  static bool match(Vm&, Value* base, const Instruction*);
  static bool unpack(Vm&, Value* base, const Instruction*);
  static bool unpack_cells(Vm&, Value* base, const Instruction*);
  static void clear(Value* base, std::uint32_t from, std::uint32_t to);
  [[noreturn]] static void fail_nothing(Vm&);

  // Tell whoever sees the steps (stepping.h) what an instruction gave, and that a block begins or ends.
  static void step(const Vm&, const Frame&, const Instruction* pc, const Value* base) noexcept;
  static void entered(const Vm&, const Frame&) noexcept;
  static void left(const Vm&, const Frame*, const Frame* entry) noexcept;
  // Tells whether a block begins at one of these ways in, and not where it does with one argument.
  static bool is_any_entry(const Code&, const Instruction* pc, std::initializer_list<Entry>) noexcept;

  // Gives the machine code that goes on at an instruction (runtime/native); null where the loop does. Makes it, if it is time.
  static const void* native_at(Vm&, const Code&, const Instruction*);
  // Before a program, while none runs.
  static void make_native_room(Vm&);
  // Notes that an error which a ⎊ handles has ended these frames' machine code.
  static void note_failure(const Frame* top, const Frame* entry) noexcept;
  static void end_native(Vm&);

  // Unwinds the frames from `top` down to `entry`; notes their places in the error, if any.
  static void unwind(Vm&, Frame* top, Frame* entry, const Instruction* pc, Error*) noexcept;
};

}  // namespace griddle
