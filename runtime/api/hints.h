// The line "Hint: …" of an error's report: what the program may have meant.
#pragma once

#include <string>
#include <string_view>

#include "runtime/api/interpreter_state.h"

namespace griddle {

// Gives the hint, without a line break; empty where there is none. It knows the names of the session and the system values that
// the interpreter is permitted. Nothing is run for it.
std::string report_hint(InterpreterState&, std::string_view message, const Error&);

}  // namespace griddle
