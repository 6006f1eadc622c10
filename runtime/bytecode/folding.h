// Folding: calls of primitives on literals, computed when the program is compiled.
#pragma once

#include "runtime/primitive.h"
#include "runtime/source/ast.h"

namespace griddle {

// Gives the value of a number, a character, a string or a list of these; absent for any other node.
Value literal_value(Context&, const Node&);

// Gives what a primitive makes of constants (𝕨 is absent where there is one argument). Absent where it fails, which it does again
// when the program comes to it, and where the result is not known to be small.
Value folded_call(Context&, const PrimitiveFunctionEntry&, const Value& w, const Value& x);

}  // namespace griddle
