#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("cells of any width are told apart") {
  BothWays ways;
  for (const char* f : {"⊐𝕩", "⍷𝕩", "∊𝕩", "𝕩⊐⌽𝕩", "𝕩∊1↓𝕩"}) ways.on_tables(f);
  for (const char* program : {"⊐200‿3⥊4|3×↕600", "⍷200‿2⥊0.5×5|↕400", "⊐100‿9⥊\"abcde\"", "⊐100‿2⥊¯0‿0"}) ways.agree(program);
}

TEST_CASE("integers that bytes tell apart are searched as bytes") {
  griddle::testing::Host host;
  // 255, 256 and 257 numbers in a wide type; others among them, at their ends, just beyond, and far away.
  for (const char* kinds : {"255", "256", "257"})
    for (const char* low : {"¯100", "1000", "¯70000"})
      for (const char* others : {"", "‿0", "‿¯1", "‿254", "‿255", "‿256", "‿257", "‿100000", "‿¯100000"}) {
        const std::string program = std::string("w←") + low + "+" + kinds + "|7×↕900 ⋄ x←(⌽w)∾" + low + "+3" + others +
                                    " ⋄ ((w⊐x)≡⥊>w⊸⊐¨x)∧(x∊w)≡(≠w)>w⊐x";
        CAPTURE(program);
        CHECK(host(program) == "1");
      }
}
