#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("folds and scans of any function go from the end that they should") {
  BothWays ways;
  for (const char* f : {"{𝕨⋈𝕩}´3↑𝕩", "{⟨𝕩,𝕨⟩}`4↑𝕩", "∾´⋈¨𝕩", "3 {𝕨∾𝕩}´𝕩"}) ways.on_lists(f);
  for (const char* program : {"+´⟨⟩", "⌊´⟨⟩", "×˝0‿3⥊0", "{𝕩}´⟨⟩", "5-´1‿2", "+`3‿0⥊0", "1‿2+`2‿2⥊↕4", "{𝕨+𝕩}`3‿2⥊↕6"})
    ways.agree(program);
}
