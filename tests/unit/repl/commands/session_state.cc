#include "repl/commands/session_state.h"

#include <doctest/doctest.h>

#include "tests/support/command_session.h"

using griddle::repl::take_semicolon;
using griddle::testing::CommandSession;

TEST_CASE("a semicolon at the end of a text is taken away, one in a string or comment is not") {
  const auto taken = [](std::string text) { return take_semicolon(text) ? text : "none"; };
  CHECK(taken("1+1;") == "1+1 ");
  CHECK(taken("1+1 ; \n") == "1+1   \n");
  CHECK(taken("1+1; # why") == "1+1  # why");
  CHECK(taken("\"#\";") == "\"#\" ");
  CHECK(taken("'\"';") == "'\"' ");
  for (const char* text : {"1+1", "\"a;\"", "1 # not this;", "';'", "\"open;", ""}) CHECK(taken(text) == "none");
}

TEST_CASE("the last value has a name, unless a program has one of its own") {
  CommandSession session;
  CHECK(session("2+3") == "5\n");
  CHECK(session("a←ans×2") == "10\n");
  CHECK(session("ans") == "5\n");
  CHECK(session("7;").empty());
  CHECK(session("ans") == "7\n");
  session("+´");
  CHECK(session("Ans ↕4") == "6\n");
  session("a_ns←1");
  session("9");
  CHECK(session("ans") == "1\n");
}

TEST_CASE("a program that wants to end does") {
  CommandSession session;
  session("•Exit 4");
  CHECK(session.leaves);
  CHECK(session.exit_code == 4);
  session("!\"wrong\"");
  CHECK(!session.leaves);
}
