// Selection along one axis, shared by Select, Replicate and whatever else takes cells by index.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Fails where `indices` (numeric, any shape) has one that is no index of an axis of length n. `name` is the primitive's. Tells
// whether one is negative.
bool check_indices(Context&, const char* name, const Array& indices, std::size_t n);

// Gives `x` with its axis replaced by the axes of `indices`, which are in range.
Value select_axis(Context&, const Value& x, std::size_t axis, const Array& indices, bool negative = true);

// Says how an error names a pick and its arguments.
struct PickNames {
  const char* primitive;
  const char* indices;
  const char* array;
};
// As ⊑, for what picks under another name.
Value pick_for(Context&, const PickNames&, Value w, Value x);

// Picks elements of a flat array, each by a list of numbers that stands in a list of such; the absent value for all else.
Value pick_places(Context&, const Array& indices, const Value& x);

// Computes w⊏x for lists, and cells of tables, that stay where they are. Absent for all else.
Value select_plainly(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
