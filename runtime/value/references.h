// Every reference that an object owns, for those who free objects and those who trace them.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/function.h"
#include "runtime/value/namespace.h"

namespace griddle {

// Calls `f` with every reference slot of an object that is no NativeObject: Value& or Object*.
template <class F>
void each_reference(Object* o, F&& f) {
  switch (o->kind) {
    case ObjectKind::array: {
      Array& a = *static_cast<Array*>(o);
      if (a.is_view()) {
        f(a.owner());
      } else if (a.type() == ElementType::boxed) {
        for (Value& v : a.boxes()) f(v);
      }
      if (a.fill_kind() == FillKind::nested) f(const_cast<Value&>(a.nested_fill()));
      break;
    }
    case ObjectKind::primitive_function:
    case ObjectKind::primitive_modifier:
    case ObjectKind::native_modifier: break;
    case ObjectKind::derived: {
      Derived& d = *static_cast<Derived*>(o);
      f(d.modifier), f(d.f), f(d.g);
      break;
    }
    case ObjectKind::train: {
      Train& t = *static_cast<Train*>(o);
      f(t.f), f(t.g), f(t.h);
      break;
    }
    case ObjectKind::block_function: {
      BlockFunction& b = *static_cast<BlockFunction*>(o);
      f(b.code);
      if (b.scope) f(static_cast<Object*>(b.scope));
      break;
    }
    case ObjectKind::block_modifier: {
      BlockModifier& b = *static_cast<BlockModifier*>(o);
      f(b.code);
      if (b.scope) f(static_cast<Object*>(b.scope));
      break;
    }
    case ObjectKind::derived_block: {
      DerivedBlock& d = *static_cast<DerivedBlock*>(o);
      f(d.modifier), f(d.f), f(d.g);
      break;
    }
    case ObjectKind::native_function: {
      NativeFunction& n = *static_cast<NativeFunction*>(o);
      if (n.state) f(static_cast<Object*>(n.state));
      break;
    }
    case ObjectKind::environment: {
      Environment& e = *static_cast<Environment*>(o);
      if (e.parent) f(static_cast<Object*>(e.parent));
      for (std::uint32_t i = 0; i < e.count; i++) f(e.slots()[i]);
      break;
    }
    case ObjectKind::name_space: {
      Namespace& n = *static_cast<Namespace*>(o);
      f(static_cast<Object*>(n.table));
      f(static_cast<Object*>(n.environment));
      break;
    }
    case ObjectKind::native: break;
  }
}

}  // namespace griddle
