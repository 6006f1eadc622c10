#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("short lists are grouped as longer ones are") {
  BothWays ways;
  for (const char* function : {"(4|↕≠𝕩)⊔𝕩", "(2|↕≠𝕩)⊔𝕩", "(¯1+3|↕≠𝕩)⊔𝕩", "(⌊2÷˜↕≠𝕩)⊔𝕩", "((5×≠𝕩)∾˜0×↕≠𝕩)⊔𝕩"})
    ways.on_lists(function);
  for (const char* program :
       {"⊔3‿1‿¯1‿1", "⊔⟨⟩", "⊔0‿1‿1‿0", "⊔¯1‿¯1", "⊔0‿5∾0‿1", "0‿1⊔\"ab\"", "0‿1‿7⊔\"ab\"", "0‿¯1⊔⟨\"ab\",3⟩", "2⊔1‿2",
        "0‿¯2⊔\"ab\"", "0‿1⊔\"abc\"", "⊔64⥊↕3", "⊔65⥊↕3", "(64⥊↕3)⊔64⥊\"abc\"", "3↑0‿2⊔⟨1‿2,3‿4⟩"})
    ways.agree(program);
}
