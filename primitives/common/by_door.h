// Finds primitives and modifiers by the functions that are their general ways, for calls that go by the door: so arrays on a
// device stay there.
#pragma once

#include <algorithm>

#include "runtime/primitive.h"
#include "runtime/vm/call.h"

namespace griddle::primitives {

template <Dyad function>
const PrimitiveFunctionEntry& entry_by() {
  static const PrimitiveFunctionEntry& entry =
      *std::ranges::find(primitive_table().functions, function, &PrimitiveFunctionEntry::general_dyad);
  return entry;
}
template <Dyad function>
const Value& primitive_by(Context& cx) {
  return primitive(cx, entry_by<function>().name);
}
// Applies the modifier with this code for one argument.
template <MonadCode code>
Value derived_by(Context& cx, Value f) {
  static const Glyph name = std::ranges::find(primitive_table().modifiers, code, &PrimitiveModifierEntry::monad)->name;
  return derive1(cx, primitive(cx, name), std::move(f));
}

}  // namespace griddle::primitives
