#include "repl/session.h"

#include <memory>

#include "repl/commands.h"
#include "repl/input.h"
#include "repl/open_brackets.h"
#include "repl/version.h"

namespace griddle::repl {

bool is_unfinished(std::string_view text) {
  OpenBrackets brackets;
  brackets.add(text);
  return brackets.any();
}

int run_session(SessionState& session, bool silent) {
  Interpreter& interpreter = session.interpreter;
  StandardConsole& console = session.console;
  const std::unique_ptr<Input> input = make_input(interpreter, console, silent);
  if (!silent && console.input_is_terminal() && console.output_is_terminal()) console.write(greeting());
  int exit_code = 0;
  for (std::string text; console.forget_interrupt(), input->read(text);) {
    if (text.find_first_not_of(" \t\r\n") == text.npos) continue;
    interpreter.clear_interrupt();  // what was asked for at the prompt
    console.log_entry(prompt, text);
    if (is_command(text)) {
      if (run_command(session, text, exit_code) == CommandResult::leave) return exit_code;
    } else if (!run_entry(session, text, exit_code)) {
      return exit_code;
    }
  }
  // A person has seen the errors; whoever runs a piped program looks at its status.
  return session.failed && !console.input_is_terminal() ? 1 : 0;
}

}  // namespace griddle::repl
