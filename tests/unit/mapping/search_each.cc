#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("lists in a list are sorted and searched without a call for each") {
  BothWays ways;
  for (const char* function :
       {"{∧¨⟨𝕩,⌽𝕩⟩}𝕩", "{∨¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍋¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍒¨⟨𝕩,⌽𝕩⟩}𝕩", "{∊¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍷¨⟨𝕩,⌽𝕩⟩}𝕩", "{⊐¨⟨𝕩,⌽𝕩⟩}𝕩", "{⊒¨⟨𝕩,⌽𝕩⟩}𝕩"})
    ways.on_lists(function);
  for (const char* program : {"⍷¨⟨0‿1‿1,1‿1,⟨⟩⟩", "∧¨⟨200⥊0‿1‿1,70⥊1⟩", "⍋¨⟨200⥊0‿1‿1,5‿3‿9‿1⟩", "∨¨⟨0.5‿¯0.5‿∞,\"ba\"⟩",
                              "∧¨⟨1‿2,3⟩", "⍋¨⟨+‿1,2‿1⟩", "⍷¨⟨2‿2⥊1,\"aab\"⟩", "∊¨⟨100⥊0,100⥊1⟩", "⍒¨0⥊<1‿2"})
    ways.agree(program);
}

TEST_CASE("arrays of units are merged and looked up as any others are") {
  BothWays ways;
  for (const char* function : {">⊐⟜𝕩¨𝕩", ">𝕩∊¨<𝕩", "(3↑𝕩)∊¨<𝕩", ">𝕩⊐⌜2↑𝕩", ">(<∘⊢)¨𝕩"}) ways.on_lists(function);
  for (const char* program : {"\"abc\"∊¨<\"cb\"", "\"abc\"∊¨⟨\"c\",\"b\",1⟩", ">1‿2∊¨⟨1‿3,2‿2‿4⟩", ">⟨<1,<2⟩", ">⟨<\"a\",<2⟩",
                              "1‿2∊¨3", "⟨1,\"a\"⟩∊¨<⟨\"a\",2⟩"})
    ways.agree(program);
}
