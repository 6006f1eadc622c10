// Instructions that make values: lists, derived functions, closures, namespaces and their fields.
#include <algorithm>
#include <iterator>

#include "runtime/vm/machine.h"

namespace griddle {

void Machine::list(Vm& vm, Value* base, const Instruction* i) { put(base[i->a], make_literal(vm.cx_.heap, {base + i->a, i->b})); }

void Machine::join_lists(Vm& vm, Value* base, const Instruction* i) {
  const Value& join = primitive(vm.cx_, Glyph::join);
  Value w = std::move(base[i->a]), x = std::move(base[i->b]);
  put(base[i->a], griddle::call(vm.cx_, join, std::move(w), std::move(x)));
}

void Machine::closure(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  put(base[i->a], make_closure(vm.cx_.heap, *i->pointer<Code>(0), e));
}

void Machine::scoped(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  const auto& f = *reinterpret_cast<const NativeFunction*>(i->immediate(0) & Value::pointer_mask);
  Ref<CapturedScope> captured = make_native<CapturedScope>(vm.cx_.heap);
  captured->visible = Ref<VisibleNames>::share(static_cast<VisibleNames*>(f.state));
  if (e) captured->environment = Ref<Environment>::share(e);
  put(base[i->a], make_native_function(vm.cx_.heap, f.name, f.monad, f.dyad, Ref<NativeObject>(captured.leak())));
}

bool Machine::field(Vm& vm, Value* base, const Instruction* i) {
  const Value& object = base[i->b];
  if (!object.is_namespace()) return unknown_field(vm, base, i);
  const Namespace& n = object.name_space();
  for (const FieldCache::Kind& kind : i->pointer<const FieldCache>(0)->kinds) {
    if (kind.table.get() != n.table) continue;
    const Value& variable = n.environment->slots()[kind.slot];
    if (variable.is_absent()) break;
    Value v = variable;
    if (i->flags & Instruction::consume_b) base[i->b] = Value();
    put(base[i->a], std::move(v));
    return true;
  }
  return unknown_field(vm, base, i);
}

bool Machine::unknown_field(Vm& vm, Value* base, const Instruction* i) {
  FieldCache& cache = *i->pointer<FieldCache>(0);
  const Value& object = base[i->b];
  const auto refuse = [&](const std::string& why) {
    raise(vm, "Field ." + cache.name + ": " + why);
    return false;
  };
  if (!object.is_namespace()) return refuse("Expected a namespace (got a " + kind_text(object) + ")");
  const Namespace& n = object.name_space();
  const FieldCache::Kind* known = std::find_if(std::begin(cache.kinds), std::end(cache.kinds),
                                               [&](const FieldCache::Kind& kind) { return kind.table.get() == n.table; });
  if (known == std::end(cache.kinds)) {
    const FieldTable::Field* found = n.table->find(cache.name);
    if (!found) return refuse("The namespace has no such field");
    FieldCache::Kind& replaced = cache.kinds[cache.oldest++ % std::size(cache.kinds)];
    replaced = {Ref<FieldTable>::share(n.table), found->slot};
    known = &replaced;
  }
  Value v = n.environment->slots()[known->slot];
  if (v.is_absent()) return refuse("The variable is not defined yet");
  if (i->flags & Instruction::consume_b) base[i->b] = Value();
  put(base[i->a], std::move(v));
  return true;
}

void Machine::name_space(Vm& vm, Value* base, const Instruction* i, Environment* e) {
  put(base[i->a], make_namespace(vm.cx_.heap, Ref<FieldTable>::share(i->pointer<FieldTable>(0)), Ref<Environment>::share(e)));
}

void Machine::modifier_self(Value* base, const Instruction* i, const Object* self) {
  if (self->kind == ObjectKind::derived_block) {
    put(base[i->a], static_cast<const DerivedBlock*>(self)->modifier);
    return;
  }
  BlockModifier* m = const_cast<BlockModifier*>(static_cast<const BlockModifier*>(self));
  retain(m);
  put(base[i->a], m->a == 1 ? Value::modifier1(m) : Value::modifier2(m));
}

}  // namespace griddle
