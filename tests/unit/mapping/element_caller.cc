#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("folds and scans of lists one after the other are those of each list") {
  BothWays ways;
  constexpr const char* lists =
      "(40⥊⟨↕9,⟨⟩,200‿100‿127,\"abc\",40⥊100,5,1e9‿2e9,0.5‿1,0‿1‿1,2‿3⥊↕6,⟨1,\"a\"⟩,33⥊3,17⥊¯5,1000⥊127,⋈7⟩)";
  for (const char* f : {"+`", "⌈`", "-`", "∧`", "≠`", "⊣`", "+´", "⌊´", "{𝕨+𝕩}`"}) {
    ways.agree(std::string("{") + f + "⎊0¨𝕩}" + lists);
    ways.agree(std::string("{") + f + "¨𝕩}40⥊⟨↕9,200‿100‿127,40⥊100,1e9‿2e9,0.5‿1,0‿1‿1,33⥊3,17⥊¯5,1000⥊127,⋈7⟩");
  }
  for (const char* scan : {"+`", "⌈`", "∧`"})
    for (const char* list : {"↕9", "40⥊3‿1", "0.5×↕20", "2|↕70", "100⥊127‿1"})
      // The elements stay as they were, also where a scan may write over its argument.
      ways.agree("l←20⥊⟨" + std::string(list) + ",3‿1‿2,⌽↕5⟩ ⋄ m←" + scan + "¨l ⋄ n←" + scan + "¨l ⋄ l‿m‿n");
}

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

TEST_CASE("lists in a list are sorted and searched without a call for each") {
  BothWays ways;
  for (const char* function :
       {"{∧¨⟨𝕩,⌽𝕩⟩}𝕩", "{∨¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍋¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍒¨⟨𝕩,⌽𝕩⟩}𝕩", "{∊¨⟨𝕩,⌽𝕩⟩}𝕩", "{⍷¨⟨𝕩,⌽𝕩⟩}𝕩", "{⊐¨⟨𝕩,⌽𝕩⟩}𝕩", "{⊒¨⟨𝕩,⌽𝕩⟩}𝕩"})
    ways.on_lists(function);
  for (const char* program : {"⍷¨⟨0‿1‿1,1‿1,⟨⟩⟩", "∧¨⟨200⥊0‿1‿1,70⥊1⟩", "⍋¨⟨200⥊0‿1‿1,5‿3‿9‿1⟩", "∨¨⟨0.5‿¯0.5‿∞,\"ba\"⟩",
                              "∧¨⟨1‿2,3⟩", "⍋¨⟨+‿1,2‿1⟩", "⍷¨⟨2‿2⥊1,\"aab\"⟩", "∊¨⟨100⥊0,100⥊1⟩", "⍒¨0⥊<1‿2"})
    ways.agree(program);
}
