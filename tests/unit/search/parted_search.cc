#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("keys too many for the caches are searched part by part") {
  BothWays ways;
  for (const char* program : {"+´(2e5|7919×↕4e5)⊐↕1000", "(+´⊐2e5|7919×↕3e5)‿(≠⍷2e5|7919×↕3e5)", "+´(1e9×↕3e5)∊1e9×2×↕2e5"})
    ways.agree(program);
}
