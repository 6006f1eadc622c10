#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("what primitives do to two parts is what they do to the cells or elements, one by one") {
  BothWays ways;
  for (const char* function : {"(+´⊑⊢)", "(2⊸|∘⊑⊑⊢)", "((1⊸<)⊏⟨0,5⟩˙)", "(⍋⊏⊢)",   "(⌽⊏⟨4,5,6,7,8,9,3,2,1,0,11,12⟩˙)",
                               "(⊑⊐⊢)",  "(⟨3,1⟩⊐⊑)", "(⊢⊐⌽)",          "(⊑⋈≠)",   "(0⋈⊑)",
                               "(⊑⋈4˙)", "(⊢≡⌽)",     "(⌽≢⊢)",          "(⊑≡≠)",   "(⊑∊⟨1,2,5⟩˙)",
                               "(⊢∊⌽)",  "(⊑∾⊢)",     "(⊢∾⌽)",          "(⊑∾≠)",   "(⊢≍⌽)",
                               "(⊑≍≠)",  "(≍∘⊑)",     "(⥊∘⊑)",          "(=∘⊑)",   "(≠∘⊑)",
                               "(≡∘⊑)",  "(⊏∘⌽)",     "(⊣⊑⟨3‿4⟩˙)",     "(1⊸⊑∾⊢)", "((≠-1˙)⊑⊢)"})
    for (const char* x : {"12‿5⥊7|↕60", "(60⥊\"level noon\")⥊˜12‿5", "12‿1⥊↕12", "9‿2‿2⥊3|↕36", "10‿3⥊0‿1‿1‿0"}) {
      const std::string start = std::string("x←") + x + " ⋄ ";
      ways.agree(start + function + "˘x");
      ways.agree(start + function + "¨<˘x");
      ways.agree(start + function + "⎉1 x");
    }
  for (const char* program :
       {"(⊢⊑⟨10,20,30⟩˙)¨2|↕40", "(2⊸|⊑⟨10,20⟩˙)¨↕40", "{(2|𝕩)⊑⟨𝕩÷2,1+3×𝕩⟩}¨↕40", "(⊢⋈-)¨↕40", "(⟨3,1⟩⊐⊢)¨5|↕40",
        "(⊢∊⟨3,1⟩˙)¨5|↕40", "(↕40)(⋈∾⊢)¨⌽↕40", "(⊢≡2˙)¨5|↕40", "(⊢⊑\"ab\"˙)¨9|↕40", "{𝕩⊑\"ab\"}¨¯1⋆↕40", "(⊢≍-)¨↕40"})
    ways.agree(program);
}
