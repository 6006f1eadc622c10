// Arrays of units, as ∊ leaves them where it meets lists one by one.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Gives 𝕨 ∊¨ 𝕩 for an atom and an array of short flat lists; the absent value where 𝕩 holds anything else.
Value member_each(Context&, const Value& w, const Array& x);

// Merges an array of units that hold numbers, or characters; the absent value where it holds anything else.
Value merge_units(Context&, const Array& x);

}  // namespace griddle::primitives
