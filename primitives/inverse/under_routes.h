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

// Routes of primitives, alone and with data on their left, as the table names them. Give the result where there is one for x;
// take x only then.
using UnderRoute = std::optional<Value>(Context&, Value& x, const Change&);
using UnderBoundRoute = std::optional<Value>(Context&, const Value& k, Value& x, const Change&);
UnderRoute under_identity, under_reverse, under_enclose, under_first, under_first_cell, under_deshape, under_transpose;
template <bool takes>
UnderBoundRoute under_kept_cells;
UnderBoundRoute under_join_to, under_pick, under_select, under_replicate;

}  // namespace griddle::primitives
