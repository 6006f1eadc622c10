#include <doctest/doctest.h>

#include <string>

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

TEST_CASE("atoms are paired with arrays") {
  BothWays ways;
  for (const char* boxes : {"⟨\"ab\",\"c\",⟨⟩⟩", "⟨1‿2,3,\"c\"⟩", "⟨<3,2‿2⥊0,\"\"⟩", "⟨\"a\",\"b\"⟩", "⟨+,\"a\",1‿2⟩"})
    for (const char* atoms : {"1‿0‿1", "5‿6‿7", "0.5‿∞‿¯1", "\"xyz\"", "\"日本語\"", "3", "⟨⟩", "3‿1⥊↕3"})
      for (const char* pairs : {"a⋈¨b", "b⋈¨a", "a∾¨b", "b≍¨a"})
        ways.agree("{a←" + std::string(atoms) + " ⋄ b←" + boxes + " ⋄ r←" + pairs +
                   " ⋄ ⟨r,≢r,{(1+≠r)↑r}⎊\"no\"@,{3↑⊑r}⎊\"no\"@⟩}⎊•CurrentError@");
}
