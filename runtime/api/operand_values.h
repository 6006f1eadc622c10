// What stood on both sides of an error that a line of a session has: `a+b` names its values, which a report can show.
#pragma once

#include <string>

#include "runtime/api/interpreter_state.h"

namespace griddle {

// Gives `a is ⟨ 1 2 3 ⟩, b is 5` where the error comes from the session's own line and names of subjects stand right beside its
// place; else nothing.
std::string operand_values(InterpreterState&, const Error&);

}  // namespace griddle
