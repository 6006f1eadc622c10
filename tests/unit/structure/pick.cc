#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("elements are picked by any index, also from within") {
  BothWays ways;
  for (const char* f : {"⊑𝕩∾1", "¯1⊑𝕩∾1", "⟨0,¯1⟩⊑𝕩∾1", "(≠𝕩)⊑𝕩"}) ways.on_lists(f);
  for (const char* program : {"⟨1‿1,0‿¯1⟩⊑2‿2⥊\"abcd\"", "0.5⊑1‿2", "\"a\"⊑1‿2", "⟨⟨0⟩,⟨1⟩⟩⊑5‿6", "⊑2‿2⥊7", "⊑5"})
    ways.agree(program);
}
