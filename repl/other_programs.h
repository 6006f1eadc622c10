// Other programs on the terminal of a session: what a shell runs, and the editor that the environment names.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "repl/console.h"

namespace griddle::repl {

// Text that is made piece by piece: calls a function with each piece, until that gives false.
using TakePiece = std::function<bool(std::string_view)>;
using TextPieces = std::function<void(const TakePiece&)>;

// Runs a command line of the shell on the terminal, with this text as its input, or the terminal where there is none. Gives its
// exit status, or -1 where it could not be run.
int run_on_terminal(StandardConsole&, const char* command, const TextPieces* input);

// Has $VISUAL, $EDITOR or vi change a file. Gives what went wrong; nothing where all went well.
std::string edit_file(StandardConsole&, const std::string& path);
// The same for a text, less the line ends behind it, by way of a file that only its user may read.
std::string edit_text(StandardConsole&, std::string& text);

}  // namespace griddle::repl
