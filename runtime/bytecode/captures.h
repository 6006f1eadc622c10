// Finds the bodies whose variables a block uses that does not run in their frame: such a body has an environment. A block that is
// called where it stands, and needs no environment itself, runs in the frame around it (direct_call.h).
#pragma once

#include "runtime/source/ast.h"
#include "runtime/value/context.h"

namespace griddle {

// Corrects Body::has_environment, for which the parser takes every block inside to be called from elsewhere.
void note_captures(Context&, const Program&);

}  // namespace griddle
