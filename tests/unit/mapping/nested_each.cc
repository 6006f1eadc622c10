#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("what is read off lists in a list is what calls give") {
  BothWays ways;
  for (const char* function :
       {"{≠¨⟨𝕩,1↓𝕩,3⟩}𝕩", "{=¨⟨𝕩,2‿2⥊0⟩}𝕩", "{≡¨⟨𝕩,3⟩}𝕩", "{⊑¨⟨𝕩∾5,𝕩∾\"a\"⟩}𝕩", "{+´¨⟨↕9,𝕩⟩}𝕩", "{⌊´¨⟨3‿1,4‿2⟩}𝕩", "<¨𝕩", "⋈¨𝕩",
        "≠¨𝕩", "≡¨𝕩", "⊑¨𝕩", "⊢¨𝕩", "(⟨𝕩,𝕩⟩)≡¨⟨𝕩,⌽𝕩⟩", "(<𝕩)≢¨⟨𝕩,⌽𝕩⟩", "𝕩⋈¨⌽𝕩", "\"ab\"‿3⋈¨⟨𝕩,𝕩⟩"})
    ways.on_lists(function);
  for (const char* program :
       {"0‿1⊑¨⟨\"abc\",\"de\"⟩", "0‿2⊑¨⟨\"abc\",\"de\"⟩", "0⊑¨⟨\"abc\",⟨⟩⟩", "⊑¨⟨\"\",1⟩", "⟨0‿1⟩⊑¨⟨2‿2⥊↕4⟩", "1‿0‿¯1⊑¨<\"abc\"",
        "⌊´¨⟨⟨⟩,1‿2⟩", "+´¨⟨\"a\",1‿2⟩", "⌈´¨⟨1‿2,3‿4⟩", "(⟨1,2⟩≡¨⟨1,2,3⟩)", "≢¨0⥊<\"ab\"", "≠¨2‿2⥊⟨1,\"ab\",\"c\",⟨⟩⟩"})
    ways.agree(program);
}
