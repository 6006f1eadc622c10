#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("each cell is counted among those before it, and found in turn") {
  BothWays ways;
  for (const char* f : {"⊒𝕩", "𝕩⊒⌽𝕩", "𝕩⊒𝕩∾𝕩"}) ways.on_lists(f);
  for (const char* program : {"⊒3000⥊\"abcab\"", "⊒5000|7919×↕6000", "⊒50‿2⥊3|↕100"}) ways.agree(program);
}
