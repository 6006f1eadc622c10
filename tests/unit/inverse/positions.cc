#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a function of places says which elements to change") {
  BothWays ways;
  for (const char* program : {"-⌾(1⊸↓)↕5", "(10⊸×)⌾(⌽2⊸↑)↕5", "⌽⌾(0‿2⊸⊏)\"abcd\"", "(1⊸+)⌾(1‿0‿1‿0⊸/)↕4", "(<\"x\")⌾(1⊸⊑)⟨1,2⟩",
                              "⌽⌾⥊2‿3⥊↕6", "-⌾(⊏⍉)3‿2⥊↕6", "-⌾(2⊸↓⌽)↕6", "(∾⟜1)⌾(2⊸↑)↕5"})
    ways.agree(program);
}
