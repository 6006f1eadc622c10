// How a session's values appear: digits of numbers, and pictures where the terminal has them.
#pragma once

#include "repl/commands/command.h"

namespace griddle::repl {

// )digits N: shows numbers with at most so many digits, or with all of them.
CommandResult set_digits(CommandCall&);
// Shows a value as a picture, if it is one and fits. Tells whether it is.
bool show_picture(StandardConsole&, const Any&);

}  // namespace griddle::repl
