#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("one operation on short lists gives what its primitive gives") {
  BothWays ways;
  for (const char* f : {"𝕩+1", "2×𝕩", "5|𝕩", "𝕩=3", "𝕩<'h'", "¬𝕩", "+´𝕩>3", "⌈´𝕩-1"}) ways.on_lists(f);
}
