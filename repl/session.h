// The session: reads lines, evaluates them and shows their values.
#pragma once

#include "repl/commands/session_state.h"

namespace griddle::repl {

// Reads lines until the input ends or •Exit. Gives the exit code.
int run_session(SessionState&, bool silent);

// Tells whether a string, a list or a block that the text opens is still open at its end. Parentheses hold no line breaks.
bool is_unfinished(std::string_view text);

}  // namespace griddle::repl
