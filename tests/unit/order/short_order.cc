#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("bits and what is in order already are sorted and graded as anything else is") {
  BothWays ways;
  for (const char* program : {"{∧2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕130", "{∨2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕130", "{⍋2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕200",
                              "{⍒2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕200", "∧∧3‿1‿2", "∨∨3‿1‿2", "∧↕5", "∨↕5"})
    ways.agree(program);
}

TEST_CASE("short lists of integers and characters go through networks as anything else is sorted") {
  BothWays ways;
  for (const char* program :
       {"{∧(37×𝕩)|⋆⁼1+↕𝕩}¨⟨40,300⟩", "{∧10007|(↕𝕩)×7919}¨⟨31,32,33,64,65,127,128,129,255,256,257,1000,1023,1024,1025⟩",
        "{∨¯9000000+10007|(↕𝕩)×7919×2000}¨⟨47,48,100,333,1024⟩", "{∧'a'+26|(↕𝕩)×7919}¨⟨32,100,1000⟩",
        "{∨100|(↕𝕩)×7919}¨⟨33,200,1024⟩", "{⍋10007|(↕𝕩)×7919}¨⟨31,47,48,64,100,128,129,256,257,700,1024,1025⟩",
        "{⍒5|(↕𝕩)×7919}¨⟨48,100,256,257,1000⟩", "{⍋¯2e9+4000000×1000|(↕𝕩)×617}¨⟨48,500,1024⟩",
        "{⍒'a'+26|(↕𝕩)×7919}¨⟨48,200,1000⟩", "{⍋(2⋆31)-˜4294967291|(↕𝕩)×3000000019}¨⟨64,300,1000⟩"})
    ways.agree(program);
}
