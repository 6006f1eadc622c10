#include <doctest/doctest.h>

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
