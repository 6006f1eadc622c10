// What a command of the session gets; commands.cc has the table of them.
#pragma once

#include <string_view>

#include "repl/commands/session_state.h"

namespace griddle::repl {

enum class CommandResult { done, leave };

struct CommandCall {
  SessionState& session;
  std::string_view option;    // after a colon
  std::string_view argument;  // after blanks
  int& exit_code;
  Interpreter& interpreter() const { return session.interpreter; }
  StandardConsole& console() const { return session.console; }
  // Tells what is wrong with the command itself.
  void fail(std::string_view message) const { complain(session, message); }
  // Tells what went wrong, if anything.
  CommandResult result(const Result& r) const {
    return r || survive(session, r, exit_code) ? CommandResult::done : CommandResult::leave;
  }
};

}  // namespace griddle::repl
