#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("variables of the process are text, or what stands for those that there are not") {
  Host run;
  setenv("GRIDDLE_TEST_VARIABLE", "a=é b", 1);
  unsetenv("GRIDDLE_TEST_NOTHING");
  CHECK(run("•env.Get \"GRIDDLE_TEST_VARIABLE\"") == "\"a=é b\"");
  CHECK(run("3 •env.Get \"GRIDDLE_TEST_VARIABLE\"") == "\"a=é b\"");
  CHECK(run("•env.Get \"GRIDDLE_TEST_NOTHING\"") == "! •env.Get: There is no such variable (GRIDDLE_TEST_NOTHING)");
  CHECK(run("3 •env.Get \"GRIDDLE_TEST_NOTHING\"") == "3");
  CHECK(run("3 •env.Get @∾\"HOME\"") == "3");
  CHECK(run("•env.Get 3") == "! •env.Get: 𝕩 must be a string (got a number)");
  CHECK(run("⊑(⋈\"GRIDDLE_TEST_VARIABLE\")∊•env.Names@") == "1");
  // Bytes that are no UTF-8 are read as they are of files.
  setenv("GRIDDLE_TEST_VARIABLE", "\xFFx", 1);
  CHECK(run("@-˜•env.Get \"GRIDDLE_TEST_VARIABLE\"") == "⟨ 56575 120 ⟩");
  unsetenv("GRIDDLE_TEST_VARIABLE");
}

TEST_CASE("who may not see the environment sees no variable") {
  griddle::Options options;
  options.capabilities = 0;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•env.Get \"PATH\"") == "! •env.Get: This is not permitted in safe mode");
  CHECK(run("3 •env.Get \"PATH\"") == "! •env.Get: This is not permitted in safe mode");
  CHECK(run("•env.Names@") == "! •env.Names: This is not permitted in safe mode");
}
