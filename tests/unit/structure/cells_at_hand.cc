#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("cells of short tables are taken and joined as those of long ones") {
  BothWays ways;
  for (const char* f : {"⌽𝕩", "1↓𝕩", "2↑𝕩", "𝕩∾𝕩"}) ways.on_tables(f);
}
