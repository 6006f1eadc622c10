#include "repl/commands/appearance.h"

#include <doctest/doctest.h>

#include "tests/support/command_session.h"

using griddle::testing::CommandSession;

TEST_CASE("numbers are shown with as many digits as are asked for") {
  CommandSession session;
  session(")digits 3");
  CHECK(session("÷3") == "0.333\n");
  session(")digits 18");
  CHECK(session.errors.contents().find("The number of digits must be 1 to 17") != std::string::npos);
  session(")digits");
  CHECK(session("÷7") == "0.14285714285714285\n");
}
