// Functions, modifiers and what they are made of. A function carries its own code: calling one is two loads and a jump.
#pragma once

#include <new>
#include <utility>

#include "runtime/value/heap.h"
#include "runtime/value/value.h"

namespace griddle {

class Context;
struct PrimitiveFunctionEntry;
struct PrimitiveModifierEntry;
struct Derived;
struct Environment;
struct RecentMonad;
enum class ScalarOp : std::uint8_t;

using MonadCode = Value (*)(Context&, const Function& self, Value x);
using DyadCode = Value (*)(Context&, const Function& self, Value w, Value x);
// Calls with an array that stays with the caller; it may be reused where only he sees it. Gives the bits of a result of its own,
// or those of the absent value for what it is not made for. Bits travel in registers, as values cannot. The call site, if any,
// remembers what served.
using DirectCode = std::uint64_t (*)(Context&, const Derived& self, const Value& x, RecentMonad* site);
// Applies a modifier; `g` is absent for 1-modifiers.
using DeriveCode = Value (*)(Context&, Modifier& self, Value f, Value g);

struct Function : Object {  // kinds: primitive_function ... native_function
  // Marks a function built from primitives and data alone: it runs no user code and has no side effects.
  static constexpr std::uint8_t pure = 0x01;
  // Marks a train or derived function of which nobody has asked yet whether it is pure: programs form many as they run.
  static constexpr std::uint8_t unexamined = 0x02;
  // Mark what was found not to work atom by atom, with one argument and with two (primitives/common/pervasive.h).
  static constexpr std::uint8_t not_pervasive = 0x04;
  static constexpr std::uint8_t not_pervasive_dyad = 0x08;
  // Mark, in `a` of a train or derived function, that numbers alone can be computed there without calls, and that they cannot
  // (vm/scalar.h). With neither nobody has asked yet.
  static constexpr std::uint8_t arithmetic = 0x40;
  static constexpr std::uint8_t not_arithmetic = 0x80;
  MonadCode monad;
  DyadCode dyad;
  bool is_pure() const { return flags & unexamined ? is_found_pure() : flags & pure; }

 private:
  bool is_found_pure() const;
};

struct Modifier : Object {  // kinds: primitive_modifier, block_modifier, native_modifier; a = 1 or 2 (operands)
  DeriveCode derive;
};

struct PrimitiveFunction : Function {  // a = its ScalarOp
  ScalarOp scalar() const { return static_cast<ScalarOp>(a); }
  const PrimitiveFunctionEntry* entry;
};
struct PrimitiveModifier : Modifier {
  const PrimitiveModifierEntry* entry;
};
// A primitive or native modifier with its operands; g is absent for 1-modifiers.
struct Derived : Function {  // a = ScalarOp of F in k⊸F and F⟜k, where k is a number, and marks; b: what its modifier notes
  static constexpr std::uint8_t for_effect = 1;  // what ¨ notes: that nobody needs its results
  ScalarOp bound() const { return static_cast<ScalarOp>(a & ~(arithmetic | not_arithmetic)); }
  Value modifier;
  Value f;
  Value g;
  // What is known of the operand (chosen when the function was formed): its ways and kernels, and what `direct` does.
  const void* rule;
  const void* kernels;
  // Does what `monad` does for the arrays met most; null where there is no such way.
  DirectCode direct;
};
// f g h, where f is absent for an atop (g h). f may be any value: a constant left tine.
struct Train : Function {  // a: marks
  Value f;
  Value g;
  Value h;
};
// A block with the environment it was made in. `code` is the compiled block (bytecode/chunk.h), a NativeObject.
struct BlockFunction : Function {
  Object* code;
  Environment* scope;  // may be null
};
struct BlockModifier : Modifier {
  Object* code;
  Environment* scope;
};
struct DerivedBlock : Function {
  Value modifier;  // the BlockModifier
  Value f;
  Value g;
};

// Anything else that a heap value holds: compiled code, a hash map, a generator, a library handle. Made by `make_native`.
struct ObjectVisitor {
  virtual void visit(Object*) = 0;
  void visit(const Value& v) {
    if (v.is_object()) visit(v.object());
  }

 protected:
  ~ObjectVisitor() = default;
};
struct NativeObject : Object {
  NativeObject() : Object{1, ObjectKind::native, 0, 0, 0} {}
  virtual ~NativeObject() = default;
  // Visits every object that this one owns a reference to, once a reference.
  virtual void trace(ObjectVisitor&) {}
  // Drops the references (the cycle collector calls it before destruction).
  virtual void clear() {}
};

// State of a native function that has inverses; null where there is none.
struct UndoCodes : NativeObject {
  MonadCode undo = nullptr;
  DyadCode undo_dyad = nullptr;
  MonadCode undo_swapped = nullptr;
  DyadCode undo_swapped_dyad = nullptr;
};

// A function made by the host or the system: C++ code and an optional state.
struct NativeFunction : Function {
  const char* name;     // as displayed, with •; static storage, or owned by the state
  NativeObject* state;  // may be null
  // Gives the message with which a call will fail, as a primitive's refusal does (runtime/primitive.h). May be null.
  Value (*refusal)(Context&, const Function& self, const Value& w, const Value& x);
};
struct NativeModifier : Modifier {
  const char* name;
  MonadCode monad;  // code of the derived function, which is a Derived
  DyadCode dyad;
  // Codes of the derived function's inverse; null where there is none. Set after making the modifier.
  MonadCode undo;
  DyadCode undo_dyad;
  NativeObject* state;  // may be null
};

// Variables that inner blocks capture. `count` slots follow the header.
struct Environment : Object {
  Environment* parent;  // owned; may be null
  Environment* next;    // list of all environments of the heap, for the cycle collector
  Environment* previous;
  std::uint32_t count;
  std::uint32_t reserved;
  Value* slots() { return reinterpret_cast<Value*>(this + 1); }
  const Value* slots() const { return reinterpret_cast<const Value*>(this + 1); }
};

// --- making them (function.cc; the primitives themselves: runtime/primitive.cc). Operands are taken over.
// Programs form trains, derived functions and closures as they run: the calls of these are short and inline.

// Allocates a function or modifier of which only the header is set.
template <class T>
T* allocate_operation(Heap& heap, ObjectKind kind, std::uint8_t flags = 0) {
  T* o = static_cast<T*>(heap.allocate(sizeof(T)));
  static_cast<Object&>(*o) = Object{1, kind, 0, 0, flags};
  enlist_object(heap, o);
  return o;
}

inline Train* make_train(Heap& heap, Value&& f, Value&& g, Value&& h, MonadCode monad, DyadCode dyad) {
  Train* t = allocate_operation<Train>(heap, ObjectKind::train, Function::unexamined);
  t->monad = monad;
  t->dyad = dyad;
  new (&t->f) Value(std::move(f));
  new (&t->g) Value(std::move(g));
  new (&t->h) Value(std::move(h));
  return t;
}
inline Derived* make_derived(Heap& heap, Value&& modifier, Value&& f, Value&& g, MonadCode monad, DyadCode dyad) {
  Derived* d = allocate_operation<Derived>(heap, ObjectKind::derived, Function::unexamined);
  d->monad = monad;
  d->dyad = dyad;
  d->rule = nullptr;
  d->kernels = nullptr;
  d->direct = nullptr;
  new (&d->modifier) Value(std::move(modifier));
  new (&d->f) Value(std::move(f));
  new (&d->g) Value(std::move(g));
  return d;
}
inline Value make_block_function(Heap& heap, Object* code, Environment* scope, MonadCode monad, DyadCode dyad) {
  BlockFunction* b = allocate_operation<BlockFunction>(heap, ObjectKind::block_function);
  b->monad = monad;
  b->dyad = dyad;
  b->code = code;
  retain(code);
  b->scope = scope;
  if (scope) retain(scope);
  return Value(static_cast<Function*>(b));
}
Value make_block_modifier(Heap&, int operands, Object* code, Environment* scope, DeriveCode);
inline DerivedBlock* make_derived_block(Heap& heap, Value&& modifier, Value&& f, Value&& g, MonadCode monad, DyadCode dyad) {
  DerivedBlock* d = allocate_operation<DerivedBlock>(heap, ObjectKind::derived_block);
  d->monad = monad;
  d->dyad = dyad;
  new (&d->modifier) Value(std::move(modifier));
  new (&d->f) Value(std::move(f));
  new (&d->g) Value(std::move(g));
  return d;
}
Value make_native_function(Heap&, const char* name, MonadCode, DyadCode, Ref<NativeObject> state = {});
Value make_native_modifier(Heap&, int operands, const char* name, MonadCode, DyadCode, Ref<NativeObject> state = {});
Ref<Environment> make_environment(Heap&, Environment* parent, std::uint32_t count);  // slots are absent; parent is shared

// Makes a native object on the heap: T derives from NativeObject.
void* allocate_native(Heap&, std::size_t bytes);
void enlist_native(Heap&, NativeObject*);
template <class T, class... Args>
Ref<T> make_native(Heap& heap, Args&&... args) {
  T* made = new (allocate_native(heap, sizeof(T))) T(std::forward<Args>(args)...);
  enlist_native(heap, made);
  return Ref<T>(made);
}

// Visits every object that `o` owns a reference to (object.cc).
void trace(Object* o, ObjectVisitor&);

}  // namespace griddle
