// Long text, a screen at a time.
#pragma once

#include <string_view>

#include "repl/console.h"

namespace griddle::repl {

// Hands text to the program that PAGER names in the environment; without one, shows a screen, and the next one when a key is
// pressed, until `q`. Where input or output is no terminal, it shows all.
void page_text(StandardConsole&, std::string_view text);

// Runs a command line of the shell on the terminal, with this text as its input, or the terminal where there is none. Gives its
// exit status, or -1 where it could not be run.
int run_on_terminal(StandardConsole&, const char* command, const std::string_view* input);

}  // namespace griddle::repl
