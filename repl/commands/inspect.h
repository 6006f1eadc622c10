// Commands that look at names and code.
#pragma once

#include "repl/commands/command.h"

namespace griddle::repl {

// Lists the names of the session, or those that a pattern fits: what each one is, its size, and its value in short.
CommandResult show_names(CommandCall&);
CommandResult explain(CommandCall&);
// Runs code and shows what each call gives, and which blocks begin and end.
CommandResult trace(CommandCall&);
CommandResult show_bytecode(CommandCall&);

}  // namespace griddle::repl
