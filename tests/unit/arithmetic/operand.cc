#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("an argument is read in whatever form it is") {
  BothWays ways;
  for (const char* f : {"1+1↓𝕩", "2×¯1↓𝕩", "3-⌽𝕩", "(⊢¨𝕩)+1", "(1↓𝕩)×¯1↓𝕩", "5⌊3↑𝕩"}) ways.on_lists(f);
}
