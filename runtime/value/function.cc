#include "runtime/value/function.h"

#include "runtime/value/array.h"
#include "runtime/value/cycles.h"
#include "runtime/value/heap.h"

namespace griddle {

namespace {

void place(Value& where, Value v) { new (&where) Value(std::move(v)); }

}  // namespace

bool is_pure_list(const Value& list) {
  constexpr std::size_t looked_through = 64;
  const Array& a = list.array();
  if (a.type() != ElementType::boxed) return true;
  if (a.length > looked_through) return false;
  for (const Value& e : a.boxes())
    if (e.is_operation() && !e.is_modifier() && !(e.is_function() && e.function().is_pure())) return false;
  return true;
}

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

Value make_derived_block(Heap& heap, Value modifier, Value f, Value g, MonadCode monad, DyadCode dyad) {
  DerivedBlock* d = allocate_operation<DerivedBlock>(heap, ObjectKind::derived_block);
  d->monad = monad;
  d->dyad = dyad;
  place(d->modifier, std::move(modifier));
  place(d->f, std::move(f));
  place(d->g, std::move(g));
  return Value(static_cast<Function*>(d));
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

Value make_native_modifier(Heap& heap, int operands, const char* name, MonadCode monad, DyadCode dyad, DeriveCode derive) {
  NativeModifier* n = allocate_operation<NativeModifier>(heap, ObjectKind::native_modifier);
  n->a = static_cast<std::uint8_t>(operands);
  n->derive = derive;
  n->name = name;
  n->monad = monad;
  n->dyad = dyad;
  n->undo = nullptr;
  n->undo_dyad = nullptr;
  return operands == 1 ? Value::modifier1(n) : Value::modifier2(n);
}

Ref<Environment> make_environment(Heap& heap, Environment* parent, std::uint32_t count) {
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
