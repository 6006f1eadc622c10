// Arithmetic on lists that stay where they are: one look into a table, memory at hand, the kernel.
#pragma once

#include "primitives/dispatch.h"

namespace griddle::primitives {

// Computes on lists of a middling length, or on one and an atom. `ways` are the kernels of the rule. Gives the absent value for
// anything else, and where a result fits no kernel: then the primitive itself decides.
Value long_lists(Context&, const DyadRule&, const DirectDyads& ways, const Value& w, const Value& x);

}  // namespace griddle::primitives
