#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("pieces of any types are put side by side") {
  BothWays ways;
  for (const char* f : {"𝕨∾𝕩", "𝕨≍𝕩"}) ways.on_pairs(f);
  for (const char* program :
       {"(2‿3⥊↕6)∾1‿3⥊0.5", "(2‿3⥊↕6)∾7‿8‿9", "1‿2∾2‿2⥊3", "∾⟨1‿2,\"ab\",⟨⟩⟩", "∾2‿2⥊⟨1‿1⥊0,1‿2⥊1,2‿1⥊2,2‿2⥊3⟩"})
    ways.agree(program);
}
