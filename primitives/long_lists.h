// Arithmetic on lists that stay where they are: one look into a table, memory at hand, the kernel.
#pragma once

#include "primitives/dispatch.h"

namespace griddle::primitives {

struct LongListRule {
  const DyadRule& rule;
  const DirectDyads& ways;  // the kernels of the rule
};

// Compute on two lists of a middling length, or on one and an atom. Give the absent value for anything else, and where a result
// fits no kernel: then the primitive itself decides.
Value long_lists(Context&, const Value& w, const Value& x, const LongListRule&);
Value long_list_and_atom(Context&, const Value& w, const Value& x, const LongListRule&);
Value atom_and_long_list(Context&, const Value& w, const Value& x, const LongListRule&);

}  // namespace griddle::primitives
