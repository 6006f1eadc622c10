#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("comparisons give the same for every pair of types") {
  BothWays ways;
  for (const char* f : {"𝕨=𝕩", "𝕨≠𝕩", "𝕨<𝕩", "𝕨>𝕩", "𝕨≤𝕩", "𝕨≥𝕩"}) ways.on_pairs(f);
}
