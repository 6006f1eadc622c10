// A session whose commands are given by a test, and what they show.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "repl/commands.h"
#include "tests/support/redirected.h"

namespace griddle::testing {

struct CommandSession {
  Redirected output{STDOUT_FILENO, ""}, errors{STDERR_FILENO, ""};
  Interpreter bqn;
  std::optional<repl::StandardConsole> console{std::in_place};
  repl::SessionState state{bqn, *console};
  int exit_code = 0;
  std::size_t seen = 0;

  // Runs a command, or an entry. Gives what it shows.
  std::string operator()(const std::string& line) {
    if (repl::is_command(line))
      leaves = repl::run_command(state, line, exit_code) == repl::CommandResult::leave;
    else
      leaves = !repl::run_entry(state, line, exit_code);
    console->flush();
    const std::string all = output.contents();
    const std::string shown = all.substr(seen);
    seen = all.size();
    return shown;
  }
  bool leaves = false;
};

}  // namespace griddle::testing
