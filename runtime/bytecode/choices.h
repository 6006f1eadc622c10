// The choices of a ◶ that is compiled as a branch, as values: an index that turns out to be nested picks an array of them.
#pragma once

#include "runtime/bytecode/layout.h"
#include "runtime/source/arena.h"
#include "runtime/source/ast.h"

namespace griddle {

// Tells from the form of a condition that its value is a number, or an error.
bool gives_number(const Node&);

// Makes an expression for the list of the choices, to be laid out and compiled in the body of `layout`; the choices have been
// laid out there. Blocks are copied, since the branch runs them without a value of their own. Variables of the frame that never
// change are handed to the copies by value, so that they keep their slots.
Node* choices_as_values(Context&, Arena&, const ListNode& choices, const BodyLayout& layout);

}  // namespace griddle
