// The train that a block of calls alone is equal to.
#pragma once

#include "runtime/bytecode/chunk.h"
#include "runtime/value/context.h"

namespace griddle {

// Gives a train of pure functions that does what a block of calls alone does to its argument, or to two, given the variables
// around it as they are now: {+´p×⥊𝕩} is +´p×⥊, and {⌽𝕩} is ⌽. Absent for any other. That of a leaf block, {1+2×𝕩}, does to whole
// arrays of numbers what the block does to each element (to each pair, where two arrays have one shape).
// With `choices`, branches become ◶ too: {𝕩>3 ? 0 ; -𝕩} is (>⟜3)◶⟨-,0⟩, wherever the condition is 0 or 1. Whoever asks sees to it
// that an index is the number of a choice; others, which ◶ takes as well, are errors in a block.
Value composition_of(Context&, const Code&, Environment* scope, Entry, bool choices = false);

}  // namespace griddle
