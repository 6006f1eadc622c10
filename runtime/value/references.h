// Every reference that an object owns, for those who free objects and those who trace them.
#pragma once

#include <span>

#include "runtime/value/array.h"
#include "runtime/value/function.h"
#include "runtime/value/namespace.h"

namespace griddle {

// What an object that is no NativeObject refers to: values that lie one behind the other, and two objects, each of which may be
// null.
struct References {
  std::span<Value> values;
  Object* one = nullptr;
  Object* other = nullptr;
};

inline References references_of(Object* o) {
  switch (o->kind) {
    case ObjectKind::array: {
      Array& a = *static_cast<Array*>(o);
      const Value* fill = a.fill_kind() == FillKind::nested ? &a.nested_fill() : nullptr;
      return {!a.is_view() && a.type() == ElementType::boxed ? a.boxes() : std::span<Value>(), a.is_view() ? a.owner() : nullptr,
              fill && fill->is_object() ? fill->object() : nullptr};
    }
    case ObjectKind::derived: return {{&static_cast<Derived*>(o)->modifier, 3}};
    case ObjectKind::train: return {{&static_cast<Train*>(o)->f, 3}};
    case ObjectKind::derived_block: return {{&static_cast<DerivedBlock*>(o)->modifier, 3}};
    case ObjectKind::block_function: {
      BlockFunction& b = *static_cast<BlockFunction*>(o);
      return {{}, b.code, b.scope};
    }
    case ObjectKind::block_modifier: {
      BlockModifier& b = *static_cast<BlockModifier*>(o);
      return {{}, b.code, b.scope};
    }
    case ObjectKind::native_function: return {{}, static_cast<NativeFunction*>(o)->state};
    case ObjectKind::native_modifier: return {{}, static_cast<NativeModifier*>(o)->state};
    case ObjectKind::environment: {
      Environment& e = *static_cast<Environment*>(o);
      return {{e.slots(), e.count}, e.parent};
    }
    case ObjectKind::name_space: {
      Namespace& n = *static_cast<Namespace*>(o);
      return {{}, n.table, n.environment};
    }
    case ObjectKind::primitive_function:
    case ObjectKind::primitive_modifier:
    case ObjectKind::native: break;
  }
  return {};
}

// Calls `f` with every object that one which is no NativeObject refers to.
template <class F>
[[gnu::always_inline]] inline void each_reference(Object* o, F&& f) {
  const References references = references_of(o);
  for (const Value& v : references.values)
    if (v.is_object()) f(v.object());
  if (references.one != nullptr) f(references.one);
  if (references.other != nullptr) f(references.other);
}

}  // namespace griddle
