#include "repl/commands.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/redirected.h"

using namespace griddle::repl;
using griddle::testing::Redirected;

TEST_CASE("lines that begin with a closing parenthesis are commands") {
  CHECK(is_command(")help"));
  CHECK(is_command("  )vars"));
  CHECK(!is_command("(1)"));
  CHECK(!is_command(""));
}

TEST_CASE("a command looks at the session, or says what is wrong with it") {
  griddle::Interpreter bqn;
  REQUIRE(bqn.eval_in_session("one←1 ⋄ Two←{𝕩}"));
  const Redirected output(STDOUT_FILENO, ""), errors(STDERR_FILENO, "");
  int exit_code = 0;
  {
    StandardConsole console;
    CHECK(run_command(bqn, console, ")vars", exit_code) == CommandResult::done);
    CHECK(run_command(bqn, console, " )time:3 one+2", exit_code) == CommandResult::done);
    CHECK(run_command(bqn, console, ")nothing", exit_code) == CommandResult::done);
    CHECK(run_command(bqn, console, ")time", exit_code) == CommandResult::done);
    CHECK(run_command(bqn, console, ")time:0 1", exit_code) == CommandResult::done);
    CHECK(run_command(bqn, console, ")ex /no/such/file", exit_code) == CommandResult::done);
    CHECK(run_command(bqn, console, ")time •Exit 3", exit_code) == CommandResult::leave);
    CHECK(exit_code == 3);
    CHECK(run_command(bqn, console, ")off", exit_code) == CommandResult::leave);
  }
  CHECK(output.contents().starts_with("one Two\n"));
  CHECK(output.contents().ends_with("s\n"));
  for (const char* part : {"no such command: )nothing", ")time needs CODE", "at least 1", "Cannot read the file (/no/such/file)"})
    CHECK(errors.contents().find(part) != std::string::npos);
}
