#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("new values go to the places that they are for, or to none") {
  BothWays ways;
  for (const char* program : {"(5˙)⌾(2⊸⊑)↕4", "(\"xy\"˙)⌾(1‿3⊸⊏)\"abcd\"", "(7˙¨)⌾(1⊸↓)↕4", "(⟨1⟩˙)⌾(0‿1⊸⊏)↕4", "(0.5˙)⌾(1⊸⊑)↕4",
                              "(\"ab\"˙)⌾(0‿0⊸⊏)\"xyz\"", "('q'˙¨)⌾(2‿2⊸↑)3‿3⥊\"abcdefghi\""})
    ways.agree(program);
}
