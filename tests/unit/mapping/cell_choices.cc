#include "primitives/mapping/cell_choices.h"

#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("choices for all elements at once are those for each one") {
  BothWays ways;
  for (const char* function : {"{𝕩>3 ? 𝕩-1 ; 𝕩+1}¨𝕩",
                               "{𝕩>3 ? 0 ; 1}¨𝕩",
                               "{𝕩=3 ? 0 ; 𝕩>5 ? 𝕩 ; -𝕩}¨𝕩",
                               "{𝕩='c' ? 'z' ; 𝕩}¨𝕩",
                               "{𝕩>'c' ? 1 ; 𝕩}¨𝕩",
                               "{(2|𝕩)◶⟨{𝕩÷2},{1+3×𝕩}⟩𝕩}¨𝕩",
                               "{(2|𝕩)⊑⟨𝕩÷2,1+3×𝕩⟩}¨𝕩",
                               "{(3|⌊𝕩)⊑⟨𝕩,5⟩}¨𝕩",
                               "(2⊸|)◶⟨÷⟜2,1+3×⊢⟩¨𝕩",
                               "(3|⌊)◶⟨⊢,-,0⟩¨𝕩",
                               "(3⊸≤)◶⟨⊢,-⟜3⟩¨𝕩",
                               "(≤⟜'c')◶⟨⊢,-⟜3⟩¨𝕩",
                               "⌊◶⟨1,2,3⟩¨𝕩",
                               "⊢◶⟨-,⊢⟩¨𝕩",
                               "{𝕩 ? 1 ; 2}¨𝕩",
                               "{𝕩<50 ? 𝕩<9 ? 1 ; 𝕩 ; 3}¨𝕩",
                               "{⊑𝕩∊\"ace\"}¨𝕩",
                               "{⊑𝕩∊3‿5‿7}¨𝕩",
                               "{⊑3‿5‿7‿97⊐𝕩}¨𝕩",
                               "{(⊑𝕩∊\"aeiou\") ? 'V' ; 'c'}¨𝕩",
                               "{𝕩∊3‿4}¨𝕩",
                               "{(5|⌊|𝕩)⊑\"abcde\"}¨𝕩",
                               "{a←𝕩×2 ⋄ a>9 ? a ; 𝕩}¨𝕩",
                               "{⟨𝕩,𝕩+1⟩}¨𝕩",
                               "{⊑⟨𝕩,𝕩+1⟩}¨𝕩",
                               "{𝕩>3 ? ⟨𝕩⟩ ; 𝕩}¨𝕩",
                               "{𝕩>3 ? \"ab\" ; 𝕩}¨𝕩",
                               "{𝕩>3 ? + ; 𝕩}¨𝕩"})
    ways.on_lists(function);
  for (const char* function : {"{𝕨>𝕩 ? 𝕨 ; 𝕩}¨", "{𝕨=𝕩 ? 1 ; 𝕨<𝕩 ? 𝕨 ; 0}¨", "(2|+)◶⟨-,⊣⟩¨", "<◶⟨⊣,⊢⟩¨", "{(𝕨<𝕩)⊑⟨𝕨,𝕩⟩}¨"}) {
    const std::string body = std::string("𝕨") + function + "𝕩";
    ways.on_pairs(body);
  }
}

TEST_CASE("many branches after each other are not all followed") {
  BothWays ways;
  std::string body = "s←0 ⋄ ";
  for (int i = 0; i < 40; i++) body += "a←𝕩◶⟨{𝕊:1},{𝕊:2}⟩0 ⋄ s+↩a ⋄ ";
  ways.agree("{" + body + "s}¨100⥊0‿1");
  std::string choices = "";
  for (int i = 0; i < 40; i++) choices += "a" + std::to_string(i) + "←𝕩◶0‿1 ⋄ ";
  ways.agree("{" + choices + "a39}¨100⥊0‿1");
}

TEST_CASE("an index that is no choice, and what only some choices fail at, are told by the function") {
  BothWays ways;
  for (const char* program : {"{𝕩 ? 1 ; 2}¨100⥊0‿1‿2",
                              "{𝕩 ? 1 ; 2}¨100⥊0‿1‿¯1",
                              "⊢◶⟨1,2⟩¨100⥊0‿1‿¯1",
                              "⊢◶⟨1,2⟩¨100⥊0‿1‿2",
                              "⊢◶⟨1,2⟩¨100⥊0‿1‿0.5",
                              "{𝕩>3 ? 𝕩+'a'+'b' ; 𝕩}¨↕100",
                              "{𝕩>300 ? 𝕩+'a'+'b' ; 𝕩}¨↕100",
                              "{𝕩>3 ? !0 ; 𝕩}¨↕100",
                              "{!𝕩>3 ? 1 ; 0}¨↕100",
                              "{(𝕩>98)⊑⟨0,𝕩+'a'+'b'⟩}¨↕100",
                              "{¯1⊑⟨𝕩,2×𝕩⟩}¨↕100",
                              "n←0 ⋄ {𝕩>3 ? n+↩𝕩 ; 0}¨↕100 ⋄ n",
                              "F←{𝕩>3 ? 𝕊𝕩-1 ; 𝕩} ⋄ F¨↕100",
                              "7{𝕩>𝕨 ? 𝕨 ; 𝕩}¨↕100",
                              "(↕100){𝕩>𝕨 ? 𝕨 ; 𝕩}¨7",
                              "(↕9){𝕩>𝕨 ? 𝕨-𝕩 ; 𝕩}⌜↕70",
                              "{𝕩>50 ? 𝕩 ; ∞}¨10‿10⥊↕100",
                              "{𝕩<2 ? 1 ; 0}¨2‿0⥊0",
                              "{𝕩≤'c' ? 𝕩 ; 'd'}¨100⥊\"abcdef\"",
                              "{'a'≤𝕩 ? 𝕩≤'z' ? 𝕩-32 ; 𝕩 ; 𝕩}¨100⥊\"Hello, World\"",
                              "{𝕩=2 ? -0 ; 0÷0}¨100⥊↕3"})
    ways.agree(program);
}
