// Replicating a list by a list of counts, for those who know that they have such.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Computes counts/x for two lists of equal length; the counts are in a numeric storage form.
Value replicate_list(Context&, const Array& counts, const Value& x);

}  // namespace griddle::primitives
