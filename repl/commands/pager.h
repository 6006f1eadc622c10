// Long text, a screen at a time.
#pragma once

#include <string_view>

#include "repl/console.h"

namespace griddle::repl {

// Hands text to the program that PAGER names in the environment; without one, shows a screen, and the next one when a key is
// pressed, until `q`. Where input or output is no terminal, it shows all.
void page_text(StandardConsole&, std::string_view text);

}  // namespace griddle::repl
