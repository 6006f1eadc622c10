#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("functions at a depth meet what lies there") {
  BothWays ways;
  for (const char* function : {"⌽⚇1 𝕩", "+⚇0 𝕩", "{𝕩}⚇0 𝕩", "≠⚇¯1 𝕩", "{⟨𝕩⟩}⚇¯2 𝕩", "𝕩{𝕨‿𝕩}⚇0 𝕩"}) ways.on_lists(function);
  for (const char* program :
       {"⌽⚇1 ⟨1‿2,⟨3‿4,\"abc\"⟩⟩", "+´⚇1⟨1‿2,⟨3‿4,5‿6‿7⟩⟩", "1‿2{𝕨∾𝕩}⚇0‿1⟨3‿4,5‿6⟩", "1‿2‿3{𝕨∾𝕩}⚇0‿1⟨3‿4,5‿6⟩", "{𝕩}⚇(2‿2⥊0)1",
        "{𝕩}⚇\"a\" 1", "{𝕩}⚇0.5 1", "{𝕩}⚇⟨⟩ 1", "5{𝕨‿𝕩}⚇¯1⟨1,2⟩", "{𝕩}⚇0⟨⟩", "(↕2){𝕨‿𝕩}⚇(1‿0‿0)⟨3,4⟩"})
    ways.agree(program);
}
