#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("lists in a list are rearranged without a call for each") {
  BothWays ways;
  for (const char* function : {"{⌽¨⟨𝕩,2↑𝕩,𝕩⟩}𝕩", "{2↑¨⟨𝕩,𝕩⟩}𝕩", "{¯1↓¨⟨𝕩,𝕩∾𝕩⟩}𝕩", "{⟨𝕩,𝕩⟩∾¨⟨𝕩,3⟩}𝕩", "{5∾¨⟨𝕩,2↑𝕩⟩}𝕩",
                               "{⟨𝕩,⌽𝕩⟩∾¨<\"zz\"}𝕩", "{0‿0⊏¨⟨𝕩,𝕩⟩}𝕩", "{1⌽¨⟨𝕩,𝕩⟩}𝕩", "{2/¨⟨𝕩,𝕩⟩}𝕩"})
    ways.on_lists(function);
  for (const char* program :
       {"1‿2↑¨⟨\"abc\",\"de\"⟩", "1‿2‿3↑¨⟨\"abc\",\"de\"⟩", "\"ab\"∾¨\"cd\"", "9‿9↑¨⟨\"abc\",1‿2⟩", "\"x\"∾¨⟨1‿2,⟨⟩⟩",
        "⌽¨⟨2‿2⥊↕4,3⟩", "⌽¨2‿2⥊⟨\"ab\",\"cd\",\"e\",\"\"⟩", "(⟨0‿1,1⟩)⊏¨⟨\"abc\",\"de\"⟩", "(⟨0‿9⟩)⊏¨⟨\"abc\"⟩",
        "1e300↑¨⟨\"abc\"⟩", "3↑¨⟨\"\",⟨⟩⟩", "≢¨∾¨⟨⟨1‿2,3‿4⟩,⟨\"a\",\"b\"⟩⟩"})
    ways.agree(program);
}
