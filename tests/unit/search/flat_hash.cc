#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("long cells are told apart by all their elements") {
  BothWays ways;
  for (const char* program : {"⊐(60‿50⥊7|↕3000)∾60‿50⥊7|↕3000", "⍷(40‿100⥊\"ab\")∾40‿100⥊\"aba\"",
                              "(9‿300⥊11|↕2700)⊐⌽9‿300⥊11|↕2700", "⊐30‿40⥊0.5×13|↕1200"})
    ways.agree(program);
}
