// Commands that bring code and values into a session, and keep them in files.
#pragma once

#include "repl/commands/command.h"

namespace griddle::repl {

// Runs a file as if its text had been typed, so that its names stay.
CommandResult load_file(CommandCall&);
// Runs the files anew that were loaded and have changed since, or imported one that has.
CommandResult reload_files(CommandCall&);
// Writes the names of the session into a file, from which the second brings them back.
CommandResult save_session(CommandCall&);
CommandResult restore_session(CommandCall&);
// Writes what is typed and shown from now on to a file; without one, no more.
CommandResult log_session(CommandCall&);
// Has the program that EDITOR names change the statement of a name, a file, or what was typed last, and runs the result.
CommandResult edit_source(CommandCall&);

// Runs a file and remembers it for reload_files.
Result load(SessionState&, const std::string& path, std::span<const std::string> arguments);

}  // namespace griddle::repl
