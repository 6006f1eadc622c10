#include "runtime/value/function.h"

#include "runtime/value/array.h"
#include "runtime/value/cycles.h"
#include "runtime/value/heap.h"

namespace griddle {

namespace {

// Functions inside functions that are looked into; what lies deeper counts as unknown, and so do long lists of boxes.
constexpr unsigned deepest_examined = 32;
constexpr std::size_t longest_examined = 64;

bool is_examined_pure(const Function&, unsigned depth);

// An array may hold functions to choose from.
bool is_pure_operand(const Value& v, unsigned depth) {
  if (v.is_function()) return is_examined_pure(v.function(), depth);
  if (!v.is_object()) return true;
  if (!v.is_array()) return false;
  const Array& a = v.array();
  if (a.type() != ElementType::boxed) return true;
  if (a.length > longest_examined) return false;
  for (const Value& e : a.boxes())
    if (e.is_operation() && !e.is_modifier() && !(e.is_function() && is_examined_pure(e.function(), depth))) return false;
  return true;
}

bool is_examined_pure(const Function& f, unsigned depth) {
  if (!(f.flags & Function::unexamined)) return f.flags & Function::pure;
  if (depth == 0) return false;
  const auto is_pure = [&](const Value& part) { return is_pure_operand(part, depth - 1); };
  bool pure;
  if (f.kind == ObjectKind::train) {
    const Train& t = static_cast<const Train&>(f);
    pure = is_pure(t.h) && is_pure(t.g) && is_pure(t.f);
  } else {
    const Derived& d = static_cast<const Derived&>(f);
    pure = d.modifier.object()->kind == ObjectKind::primitive_modifier && is_pure(d.f) && is_pure(d.g);
  }
  // What is found out about a function is no change that anybody sees.
  std::uint8_t& flags = const_cast<Function&>(f).flags;
  flags = static_cast<std::uint8_t>((flags & ~Function::unexamined) | (pure ? Function::pure : 0));
  return pure;
}

}  // namespace

bool Function::is_found_pure() const { return is_examined_pure(*this, deepest_examined); }

Value make_block_modifier(Heap& heap, int operands, Object* code, Environment* scope, DeriveCode derive) {
  BlockModifier* b = allocate_operation<BlockModifier>(heap, ObjectKind::block_modifier);
  b->a = static_cast<std::uint8_t>(operands);
  b->derive = derive;
  b->code = code;
  retain(code);
  b->scope = scope;
  if (scope) retain(scope);
  return operands == 1 ? Value::modifier1(b) : Value::modifier2(b);
}

Value make_native_function(Heap& heap, const char* name, MonadCode monad, DyadCode dyad, Ref<NativeObject> state) {
  NativeFunction* n = allocate_operation<NativeFunction>(heap, ObjectKind::native_function);
  n->monad = monad;
  n->dyad = dyad;
  n->name = name;
  n->state = state.leak();
  n->refusal = nullptr;
  return Value(static_cast<Function*>(n));
}

namespace {

// Gives a native modifier its operands.
Value derive_native(Context& cx, Modifier& self, Value f, Value g) {
  auto& modifier = static_cast<NativeModifier&>(self);
  retain(&self);
  Value shared = self.a == 1 ? Value::modifier1(&self) : Value::modifier2(&self);
  return Value(static_cast<Function*>(
      make_derived(cx.heap, std::move(shared), std::move(f), std::move(g), modifier.monad, modifier.dyad)));
}

}  // namespace

Value make_native_modifier(Heap& heap, int operands, const char* name, MonadCode monad, DyadCode dyad, Ref<NativeObject> state) {
  NativeModifier* n = allocate_operation<NativeModifier>(heap, ObjectKind::native_modifier);
  n->a = static_cast<std::uint8_t>(operands);
  n->derive = derive_native;
  n->name = name;
  n->monad = monad;
  n->dyad = dyad;
  n->undo = nullptr;
  n->undo_dyad = nullptr;
  n->state = state.leak();
  return operands == 1 ? Value::modifier1(n) : Value::modifier2(n);
}

Ref<Environment> make_environment(Heap& heap, Environment* parent, std::uint32_t count) {
  // Before there is an environment, which could not be taken off a list that is not there.
  if (heap.cycles == nullptr) [[unlikely]]
    cycles_begin(heap);
  void* memory = heap.allocate(sizeof(Environment) + count * sizeof(Value));
  Environment* e = new (memory) Environment{{1, ObjectKind::environment, 0, 0, 0}, parent, nullptr, nullptr, count, 0};
  if (parent) retain(parent);
  for (std::uint32_t i = 0; i < count; i++) new (&e->slots()[i]) Value;
  enlist_object(heap, e);
  Ref<Environment> result(e);
  cycles_register(heap, e);
  return result;
}

void* allocate_native(Heap& heap, std::size_t bytes) { return heap.allocate(bytes); }
void enlist_native(Heap& heap, NativeObject* o) { enlist_object(heap, o); }

}  // namespace griddle
