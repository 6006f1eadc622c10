#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("functions of lists that stay where they are leave them as they were") {
  BothWays ways;
  for (const char* f : {"x←𝕩⋄y←x+1⋄z←2×x⋄x‿y‿z", "x←𝕩⋄y←x⌊3⋄z←x≤3⋄x‿y‿z"}) ways.on_lists(f);
}
