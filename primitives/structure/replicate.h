// Replicating lists, for those who know what they have.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Gives counts in a numeric storage form; fails where one is no number. `who` starts the message: "Replicate: 𝕨".
Value numeric_counts(Context&, const char* who, Value counts);

// Computes counts/x for two lists of equal length; the counts are in a numeric storage form.
Value replicate_list(Context&, const Array& counts, const Value& x);
// Repeats what lies along an axis of x as w says, which holds no lists.
Value replicate_axis(Context&, const Value& w, const Value& x, std::size_t axis);

// Puts elements of an array's type into it, in order, at the places of the 1s: undoes replicating by booleans.
void put_at_ones(Array& to, const Array& from, const Array& bits);
// Puts one value there; of any type but bits and boxes. Where ones are rare, they are sooner looked for.
void fill_at_ones(Array& to, const Value& value, const Array& bits);

}  // namespace griddle::primitives
