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

// Tells what a left argument of Select, Pick or the like is made of.
enum class Contents { numbers, arrays, mixed };
// Looks at the elements of an array; fails where one is neither a number nor an array. An empty array counts as numbers.
Contents contents_of(Context&, const char* name, const Array&, const char* which = "𝕨");

// Tells whether a number is an index of an axis of length n, says why it is none, and turns it into a place or fails.
bool is_place(double index, std::size_t n);
Value no_place_message(Context&, const char* name, double index, std::size_t n);
std::size_t place_of(Context&, const char* name, double index, std::size_t n);

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

}  // namespace griddle::primitives
