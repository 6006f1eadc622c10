#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("one value is found among boxes, whatever it is") {
  BothWays ways;
  for (const char* program : {"⟨\"a\",1‿2,'b',\"ab\",⟨⟩⟩⊐<\"ab\"", "(<1‿2)∊⟨\"a\",1‿2⟩", "⟨\"a\",0.5‿1⟩⊐<0.5‿1",
                              "(\"ab\"‿\"cd\")∊\"cd\"‿\"ef\"‿\"ab\"", "({⟨𝕩,\"x\"⟩}¨↕50)⊐⟨⟨7,\"x\"⟩,⟨50,\"x\"⟩⟩", "(<\"q\")∊⟨⟩"})
    ways.agree(program);
}
