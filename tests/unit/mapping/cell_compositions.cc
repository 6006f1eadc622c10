#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("functions that are composed work on all cells as on each one") {
  BothWays ways;
  for (const char* function :
       {"(+´÷≠)˘𝕩", "(⌽∘⍋)˘𝕩", "{+´𝕩×𝕩}˘𝕩", "(⊑⋈⊢´)˘𝕩", "(2⊸×⌽)˘𝕩", "(⌈´-⌊´)˘𝕩", "(¯1⊸↓)˘𝕩", "∧⎉1 𝕩", "(⊏∘⌽)⎉1 𝕩"})
    ways.on_tables(function);
  for (const char* program :
       {"(+´∘×)⎉1‿∞⟜⍉˜4‿4⥊↕16", "(↕3){𝕨+´𝕩}⌜⟨1‿2,3‿4,5‿6⟩", "(⟨1‿2‿3,4‿5‿6⟩){+´𝕨×𝕩}⌜⟨1‿0‿1,2‿2‿2,0‿0‿1⟩",
        "{𝕩⊸(+´×)¨⟨1‿2,3‿4⟩}5‿6", "(+´∘⊣)¨⟨1‿2,3‿4⟩", "{(+˝𝕩)∾≠𝕩}˘3‿4⥊↕12", "(!∘0)˘3‿4⥊↕12", "(+´\"a\"⊸∾)˘2‿9⥊↕18"})
    ways.agree(program);
}

TEST_CASE("what is composed of functions with ways takes all pairs of cells at once") {
  BothWays ways;
  for (const char* f : {"(+´≠)", "(+´|∘-)", "(+´×)", "(⌈´+)", "(-○(+´))", "(∨´=)", "(⊣-+´∘⊢)", "{+´𝕨≠𝕩}", "{a←𝕨⋄+´a=𝕩}", "{𝕨≡𝕩}",
                        "{√+´×˜𝕨-𝕩}", "{(≠𝕨)+≠𝕩}", "{𝕨⊏𝕩}", "(∧∘⊢)", "{•Out \"\" ⋄ 𝕨+𝕩}", "{𝕩!˜𝕨≢𝕩}"})
    for (const char* w : {"5‿2‿3", "20‿3⥊↕7", "20‿3⥊2|↕7", "20‿3⥊0.5×↕7", "4", "'a'", "\"abc\"", "20‿3⥊\"abcde\"", "20‿2⥊↕9",
                          "19‿3⥊↕9", "⟨1,\"a\",2⟩", "20⥊↕3", "<3", "20‿3‿2⥊↕7", "5‿4‿3⥊↕11"})
      for (const char* x : {"20‿3⥊↕5", "20‿3⥊1‿0‿0‿1", "20‿3⥊\"abc\"", "20⥊4‿5", "5‿4‿3⥊↕50"})
        for (const char* modifier : {"˘", "⎉1", "⎉1‿∞", "⎉∞‿1"})
          ways.agree("F←{𝕊: (" + std::string(w) + ")" + f + modifier + x + "}⎊•CurrentError ⋄ r←F@ ⋄ ⟨r,≢r⟩");
}
