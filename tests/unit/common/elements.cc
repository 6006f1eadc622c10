#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("lengths and indices are read from every storage form, and what is none is refused") {
  BothWays ways;
  for (const char* f : {"(≠𝕩)⥊𝕩", "2⊏𝕩∾𝕩∾0‿0‿0", "(3⌊≠𝕩)↑𝕩", "𝕩⊏⌽𝕩", "𝕩⥊5"}) ways.on_lists(f);
  for (const char* program : {"0.5⊏\"abc\"", "¯4⊏\"abc\"", "⟨0,\"a\"⟩⊏\"abc\"", "(1e30)↑\"a\"", "¯1‿2⥊↕4", "(<1)⊏\"abc\""})
    ways.agree(program);
}
