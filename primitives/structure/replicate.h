// Replicating lists, for those who know what they have.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Gives counts in a numeric storage form; fails where one is no number. `who` starts the message: "Replicate: 𝕨".
Value numeric_counts(Context&, const char* who, Value counts);

// Computes counts/x for two lists of equal length; the counts are in a numeric storage form.
Value replicate_list(Context&, const Array& counts, const Value& x);

}  // namespace griddle::primitives
