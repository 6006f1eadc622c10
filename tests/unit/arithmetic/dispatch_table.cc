#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a table holds what each pair gives") {
  BothWays ways;
  for (const char* f : {"𝕨+⌜𝕩", "𝕨=⌜𝕩"}) ways.on_pairs(f);
}
