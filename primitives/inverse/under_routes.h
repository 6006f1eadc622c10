// Under through primitives that select: what they select is changed where it lies.
#pragma once

#include <optional>

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives the new value for what 𝔾 selected. Refers to what it calls, which outlives it.
class Change {
 public:
  template <class F>
  Change(const F& f)
      : made_(&f), call_([](const void* made, Value selected) { return (*static_cast<const F*>(made))(std::move(selected)); }) {}
  Value operator()(Value selected) const { return call_(made_, std::move(selected)); }
  // What every selected element becomes, if it is an atom that is known beforehand.
  const Value* each = nullptr;
  // What all that is selected becomes, where that is data.
  const Value* given = nullptr;

 private:
  const void* made_;
  Value (*call_)(const void* made, Value selected);
};

// A primitive with data on its left.
struct Bound {
  const PrimitiveFunctionEntry* p = nullptr;
  const Value* k = nullptr;
};

// Give the result where there is a route for the primitive and x; take x only then.
std::optional<Value> route_bound(Context&, const Bound&, Value& x, const Change&);
std::optional<Value> route_primitive(Context&, const Value& g, Glyph, Value& x, const Change&);

}  // namespace griddle::primitives
