#include "repl/commands/measure.h"

#include <doctest/doctest.h>

#include "tests/support/command_session.h"

using griddle::testing::CommandSession;

TEST_CASE("timed code keeps its value and names, and runs again unless that could be seen") {
  CommandSession session;
  std::string text = session(")time a←1+2");
  CHECK(text.find("value    3\n") == 0);
  CHECK(text.find("median") != std::string::npos);
  CHECK(session("a") == "3\n");
  CHECK(session("ans") == "3\n");
  CHECK(session(")time:3 a+2").find("3 runs\n") != std::string::npos);
  text = session(")time a↩a+1");
  CHECK(text.find(", 1 run\n") != std::string::npos);
  CHECK(session("a") == "4\n");
  CHECK(session(")time:1 a").find("1 run\n") != std::string::npos);
  session(")time !\"wrong\"");
  CHECK(session.errors.contents().find("Error: wrong") != std::string::npos);
}

TEST_CASE("memory is told, of names and in all") {
  CommandSession session;
  session("big←1e6⥊0.5 ⋄ small←1e3⥊0.5;");
  const std::string text = session(")mem");
  CHECK(text.find(" in use, ") != std::string::npos);
  CHECK(text.find("8.0 MB  big\n") != std::string::npos);
  CHECK(text.find("8.0 kB  small\n") != std::string::npos);
  CHECK(session(")gpu") == "There is no device\n");
}
