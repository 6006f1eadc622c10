// Long text, a screen at a time.
#pragma once

#include <string_view>

#include "repl/other_programs.h"

namespace griddle::repl {

// Hands text to the program that PAGER names in the environment; without one, shows a screen, and the next one when a key is
// pressed, until `q`. Where input or output is no terminal, it shows all. No more of the text is made than is shown.
void page_text(StandardConsole&, const TextPieces&);

}  // namespace griddle::repl
