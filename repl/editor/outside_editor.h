// Edits a text in the editor that the environment names.
#pragma once

#include <string>

namespace griddle::repl {

// Has $VISUAL, $EDITOR or vi change a text, less the line ends behind it. Gives what went wrong; nothing where all went well.
std::string edit_in_editor(std::string& text);

}  // namespace griddle::repl
