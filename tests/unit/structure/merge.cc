#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("arrays of one shape are merged, others are refused") {
  BothWays ways;
  for (const char* f : {">𝕩⋈𝕩", ">⟨𝕩,⌽𝕩,𝕩⟩", ">⋈¨𝕩"}) ways.on_lists(f);
  for (const char* program : {">⟨1‿2,3‿4⟩", ">⟨1,\"a\"⟩", ">⟨1‿2,3⟩", ">⟨⟩", ">⟨⟨⟩,⟨⟩⟩", ">2‿2⥊⟨1‿2⟩", ">⟨1‿2,0.5‿7⟩"})
    ways.agree(program);
}
