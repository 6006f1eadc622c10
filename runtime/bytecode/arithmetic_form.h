// The train that a block of plain arithmetic is equal to.
#pragma once

#include "runtime/bytecode/chunk.h"
#include "runtime/value/context.h"

namespace griddle {

// Gives a function that does to whole arrays of numbers what the leaf block does to each element (to each pair, for the entry
// `dyad`, where both arrays have one shape); absent where there is none, as with branches.
Value arithmetic_form(Context&, const Code&, Entry);

// Gives the pure function that a block applies to its one argument and does nothing else: {+´𝕩} is +´. Absent for any other.
Value applied_function(Context&, const Code&);

// Gives a train of pure functions that does what a block of calls alone does to its one argument, given the variables around it
// as they are now: {+´p×⥊𝕩} is +´p×⥊. Absent for any other.
Value composition_of(Context&, const Code&, Environment* scope, Entry);

}  // namespace griddle
