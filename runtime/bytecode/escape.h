// Finds blocks whose values somebody may compare. Every evaluation of a block makes another value, which equals itself alone;
// where it is only ever called nobody can tell, and one value serves all evaluations.
#pragma once

#include "runtime/source/ast.h"
#include "runtime/value/context.h"

namespace griddle {

// Notes in BlockNode::escapes and Binding::escapes which blocks and names of a program may be used for more than calls. What a
// program itself evaluates, it evaluates once, so that its own blocks need no note.
void note_escapes(Context&, const Program&);

}  // namespace griddle
