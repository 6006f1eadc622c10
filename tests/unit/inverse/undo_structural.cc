#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("structure is undone, or it is said that nothing gives that") {
  BothWays ways;
  for (const char* program : {"⌽⁼\"abc\"", "2⌽⁼↕5", "⍉⁼2‿3⥊↕6", "1‿0⍉⁼2‿3⥊↕6", "<⁼<5", "<⁼5", "≍⁼1‿3⥊\"abc\"", "⋈⁼⟨5⟩",
                              "↑⁼↑\"ab\"", "↓⁼↓\"ab\"", ">⁼2‿2⥊↕4", "∾⟜1⁼↕2", "⟨1⟩∾⁼1‿2", "»⁼↕3", "⊔⁼⟨⟨0⟩,⟨1⟩⟩"})
    ways.agree(program);
}
