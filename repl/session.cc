#include "repl/session.h"

#include <memory>

#include "repl/commands.h"
#include "repl/input.h"
#include "repl/open_brackets.h"
#include "repl/report.h"
#include "repl/version.h"

namespace griddle::repl {

bool is_unfinished(std::string_view text) {
  OpenBrackets brackets;
  brackets.add(text);
  return brackets.any();
}

int run_session(Interpreter& interpreter, StandardConsole& console, bool silent) {
  const std::unique_ptr<Input> input = make_input(interpreter, console, silent);
  if (!silent && console.input_is_terminal() && console.output_is_terminal()) console.write(greeting());
  int exit_code = 0;
  bool failed = false;
  for (std::string text; console.forget_interrupt(), input->read(text);) {
    if (text.find_first_not_of(" \t\r\n") == text.npos) continue;
    interpreter.clear_interrupt();  // what was asked for at the prompt
    if (is_command(text)) {
      if (run_command(interpreter, console, text, exit_code) == CommandResult::leave) return exit_code;
      continue;
    }
    const Result result = interpreter.eval_in_session(text);
    const Failure& failure = result.failure();
    if (failure.cause == Failure::Cause::exit) return failure.exit_code;
    failed = failed || !result;
    if (!result)
      tell_failure(console, failure);
    else if (result->has_value())
      console.write(result->format() + "\n");
    if (result && console.drops_output()) console.write_error("Interrupted\n");
  }
  // A person has seen the errors; whoever runs a piped program looks at its status.
  return failed && !console.input_is_terminal() ? 1 : 0;
}

}  // namespace griddle::repl
