#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("folds and scans of lists give the same, found by their type or not") {
  BothWays ways;
  for (const char* f : {"+´𝕩", "+`𝕩", "×´𝕩", "×`𝕩", "⌊´𝕩", "⌊`𝕩", "⌈´𝕩", "⌈`𝕩"}) ways.on_lists(f);
}
