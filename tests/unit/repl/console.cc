#include "repl/console.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

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

TEST_CASE("input that cannot be read is no end of input, and the process does not end well") {
  const int usual = dup(STDIN_FILENO), folder = open("/", O_RDONLY);
  dup2(folder, STDIN_FILENO);
  {
    const Redirected output(STDERR_FILENO, "");
    StandardConsole console;
    std::string text;
    CHECK(!console.read_all(text));
    CHECK(!console.finish(""));
    CHECK(output.contents() == "bqn: The input could not be read (Is a directory)\n");
  }
  dup2(usual, STDIN_FILENO);
  close(usual);
  close(folder);
}

TEST_CASE("an interrupt ends reading at once, until it is forgotten") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const int usual = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  {
    StandardConsole console;
    std::string line;
    console.interrupt();
    CHECK(!console.read_line(line));
    CHECK(console.interrupted());
    console.interrupt();
    console.forget_interrupt();
    REQUIRE(write(ends[1], "x\n", 2) == 2);
    CHECK(console.read_line(line));
    CHECK(line == "x");
    CHECK(!console.drops_output());
  }
  dup2(usual, STDIN_FILENO);
  for (const int end : {usual, ends[0], ends[1]}) close(end);
}

TEST_CASE("a terminal that is none has a usual size, and input that waits is told") {
  const Redirected input(STDIN_FILENO, "x"), output(STDOUT_FILENO, "");
  StandardConsole console;
  CHECK(console.size().columns == 80);
  CHECK(console.size().rows == 24);
  CHECK(console.waits_for_input(0));
  // Only who edits is told of changes.
  console.note_change();
  CHECK(!console.take_changed());
}
