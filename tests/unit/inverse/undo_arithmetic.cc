#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("arithmetic is undone") {
  BothWays ways;
  for (const char* f : {"+⁼𝕩", "2+⁼𝕩", "3-⁼𝕩", "2×⁼𝕩", "1÷⁼𝕩", "2⋆⁼𝕩", "2⋆˜⁼𝕩", "¬⁼𝕩"}) ways.on_lists(f);
}
