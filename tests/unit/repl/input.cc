#include "repl/input.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "tests/support/redirected.h"

using namespace griddle::repl;
using griddle::testing::Redirected;

TEST_CASE("plain texts go on while brackets are open, over empty rows as well, and to the end") {
  const Redirected input(STDIN_FILENO, "1+1\nF←{\n\n𝕩+1\n}\n\n⟨1\n\n2");
  StandardConsole console;
  griddle::Interpreter bqn;
  const std::unique_ptr<Input> texts = make_input(bqn, console, false);
  std::string text;
  for (const char* wanted : {"1+1", "F←{\n\n𝕩+1\n}", "", "⟨1\n\n2"}) {
    REQUIRE(texts->read(text));
    CHECK(text == wanted);
  }
  CHECK(!texts->read(text));
}
