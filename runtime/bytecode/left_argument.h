// Blocks that are called with two arguments and in no other way, since they stand where they are called.
#pragma once

#include "runtime/source/ast.h"
#include "runtime/value/context.h"

namespace griddle {

// Notes in the bodies of such a block that serve two arguments that 𝕨 is there: then it is never Nothing, nor is what is computed
// from it.
void note_left_argument(Context&, BlockNode&);

}  // namespace griddle
