#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;
using griddle::testing::Recorder;

TEST_CASE("lines are read until there are none") {
  Recorder console;
  griddle::Options options;
  options.console = &console;
  Host run{griddle::Interpreter(options)};
  CHECK(run("⟨•GetLine@,•GetLine@⟩") == "⟨ \"a line\" @ ⟩");
}
