#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("what primitives select is changed where it lies, and put back nowhere else") {
  BothWays ways;
  for (const char* function :
       {"(10×⊢)⌾(1⊸⊏)𝕩∾5‿6", "(-)⌾(2⊸↑)𝕩∾5‿6", "(⌽)⌾(1⊸↓)𝕩∾5‿6", "(\"new\"˙)⌾(0⊸⊑)𝕩∾5‿6", "(⌽)⌾((2|↕≠𝕩)⊸/)𝕩",
        "(7¨)⌾((0=3|↕≠𝕩)⊸/)𝕩", "(⌽)⌾⥊𝕩", "(⌽)⌾⌽𝕩", "(⌽)⌾(⟨0,1⟩⊸⊑)5‿6∾𝕩", "(⌽)⌾(1‿0⊸⊏)5‿6∾𝕩", "(1⊸∾)⌾⊑𝕩∾5"})
    ways.on_lists(function);
  for (const char* program :
       {"-⌾(0⊸⊏)2‿3⥊↕6", "-⌾(1‿1⊸⊑)2‿3⥊↕6", "⌽⌾⍉2‿3⥊↕6", "-⌾(5⊸⊏)↕3", "-⌾(0.5⊸⊏)↕3", "-⌾(0⊸⊑)⟨⟩", "(2‿3˙)⌾(0⊸⊑)↕3",
        "(2‿3˙)⌾(1⊸↓)↕3", "(1‿2‿3˙)⌾(1⊸↓)↕3", "-⌾(5⊸↑)↕3", "1‿2⌾(0‿0⊸⊏)↕3", "1‿1⌾(0‿0⊸⊏)↕3", "-⌾(⟨⟩⊸⊑)5", "0⌾(1‿0‿2⊸/)↕3",
        "(\"ab\"˙)⌾<5", "(<\"ab\")⌾<5", "⌽⌾(2‿2⊸⥊)↕4", "-⌾⊏0‿3⥊0", "(100⥊1)⌾((100⥊0‿1‿1)⊸/)↕100"})
    ways.agree(program);
}

TEST_CASE("the element under First and Pick changes in short lists as in any") {
  BothWays ways;
  for (const char* x : {"↕5", "0‿1‿1", "\"abc\"", "0.5+↕3", "⟨1,\"ab\"⟩", "⟨⟩", "3", "<3", "2‿2⥊↕4", "300⥊↕7"})
    for (const char* f : {"0˙", "(1⊸+)", "{𝕩⋈1}", "'x'", "1e6", "¯1.5", "⊢", "{!0}"})
      for (const char* g : {"⊑", "(0⊸⊑)", "(¯1⊸⊑)", "(2⊸⊑)", "(9⊸⊑)", "(0.5⊸⊑)"})
        ways.agree("{a←𝕩 ⋄ r←" + std::string(f) + "⌾" + g + "a ⋄ ⟨r,a⟩}" + x);
}
