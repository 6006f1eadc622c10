// Commands that measure: time and memory.
#pragma once

#include "repl/commands/command.h"

namespace griddle::repl {

// Runs code as an entry, so that its value and names stay, and then some more times, and shows how long it takes.
CommandResult time_code(CommandCall&);
// Runs code, or a file, as an entry, and shows where time goes.
CommandResult profile_code(CommandCall&);
// Shows how much memory there is, and which names of the session hold how much.
CommandResult show_memory(CommandCall&);
// Shows whether there is a device, what it has done, and which names have their elements there.
CommandResult show_device(CommandCall&);

}  // namespace griddle::repl
