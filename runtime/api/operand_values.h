// What a function failed on: the names beside it in a line of the session, or the operands that it had, wherever that was.
#pragma once

#include <string>

#include "runtime/api/interpreter_state.h"

namespace griddle {

// Gives `a is ⟨ 1 2 3 ⟩, b is 5` where the error comes from the session's own line and names of subjects stand right beside its
// place; in functions and files `𝕨 is ⟨ 1 2 ⟩, 𝕩 is ⟨ 3 4 5 ⟩`, where the primitive that failed told its operands (OperandError).
// Nothing for other errors, and where there is no session.
std::string operand_values(InterpreterState&, const Error&);

}  // namespace griddle
