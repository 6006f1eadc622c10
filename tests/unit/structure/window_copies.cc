#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("windows are copied from lists and tables of every type") {
  BothWays ways;
  for (const char* f : {"(2⌊≠𝕩)↕𝕩", "(7⌊≠𝕩)↕𝕩", "64↕𝕩"}) ways.on_lists(f);
  for (const char* f : {"1↕𝕩", "1‿1↕𝕩"}) ways.on_tables(f);
}
