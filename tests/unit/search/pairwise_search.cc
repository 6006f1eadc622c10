#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("short lists are searched by comparing each with each") {
  BothWays ways;
  for (const char* f : {"𝕨⊐𝕩", "𝕨∊𝕩"}) ways.on_pairs(f);
  for (const char* program : {"(127↑9|↕127)⊐↕2000", "(↕5000)∊100↑7×↕120", "(0.5×↕60)⊐0.5×80|7×↕3000"}) ways.agree(program);
}
