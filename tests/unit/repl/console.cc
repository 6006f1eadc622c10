#include "repl/console.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/redirected.h"

using namespace griddle::repl;
using griddle::testing::Redirected;

TEST_CASE("lines are read one by one, whatever ends them, and the rest at once") {
  const Redirected input(STDIN_FILENO, "one\ntwo\n\nrest\nof it");
  StandardConsole console;
  std::string line;
  for (const char* wanted : {"one", "two", ""}) {
    REQUIRE(console.read_line(line));
    CHECK(line == wanted);
  }
  CHECK(console.has_input());
  CHECK(!console.input_is_terminal());
  CHECK(console.read_all(line));
  CHECK(line == "rest\nof it");
  CHECK(!console.read_line(line));
  CHECK(!console.interrupted());
}

TEST_CASE("output is written in order, at the latest when it is flushed") {
  const Redirected output(STDOUT_FILENO, "");
  {
    StandardConsole console;
    console.write("first ");
    console.write(std::string(100'000, 'x'));
    console.flush();
    CHECK(output.contents() == "first " + std::string(100'000, 'x'));
    console.write(" last");
  }
  CHECK(output.contents().ends_with("x last"));
}
