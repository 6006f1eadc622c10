// What a session understands beside BQN: lines that begin with a closing parenthesis.
#pragma once

#include <string_view>
#include <vector>

#include "repl/commands/command.h"

namespace griddle::repl {

// Tells whether a line is a command and no BQN.
bool is_command(std::string_view line);

// A command: its name, what to put behind it, and what it does.
struct CommandName {
  std::string_view name, argument, help;
};
std::vector<CommandName> command_names();
// Gives the name of a command that has other names, too, for any of these.
std::string_view command_meant(std::string_view name);

// Runs a command; what is wrong with it, or in it, is told on the console. `exit_code` is set where a program ended with one.
CommandResult run_command(SessionState&, std::string_view line, int& exit_code);

}  // namespace griddle::repl
