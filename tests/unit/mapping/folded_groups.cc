#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using namespace griddle::testing;

namespace {

constexpr const char* folds_of_groups[] = {"≠",    "+´", "⌈´", "⌊´",   "+´÷≠", "{+´𝕩}", "{(+´𝕩)÷≠𝕩}",
                                           "{≠𝕩}", "-´", "×´", "0⊸+´", "+`",   "⊑",     "+˝"};
// Numbers of groups: in order and not, with cells that are dropped, groups that are empty, and what is refused.
constexpr const char* group_numbers[] = {"9/↕10",        "10|7×↕90",    "¯1+7|5×↕90",   "¯1+90⥊1‿0‿0‿3", "300|97×↕90",
                                         "70000×90⥊0‿1", "90⥊¯1",       "90⥊0",         "2|↕90",         "(10|7×↕90)∾12",
                                         "(10|7×↕90)∾3", "¯2+10|7×↕90", "0.5×10|7×↕90", "↕89",           "9‿10⥊10|7×↕90",
                                         "⟨⟩",           "5",           "90⥊'a'",       "⟨3⥊2,4|↕90⟩"};
constexpr const char* grouped[] = {"2|⌊(↕90)÷3",
                                   "¯50+101|37×↕90",
                                   "¯5000+10007|3701×↕90",
                                   "¯2e9+4e7×↕90",
                                   "0.1×101|37×↕90",
                                   "90⥊¯0",
                                   "90⥊¯0‿0",
                                   "1e300×¯1⋆↕90",
                                   "÷5|↕90",
                                   "90⥊0‿∞‿¯∞",
                                   "90⥊0÷0",
                                   "'a'+↕90",
                                   "90⥊⟨1,\"ab\",3⟩",
                                   "90‿2⥊↕180",
                                   "⟨⟩",
                                   "↕12",
                                   "5",
                                   "90⥊1‿'a'"};

}  // namespace

TEST_CASE("folds of groups are those of groups that were made") {
  BothWays ways;
  for (const std::string fold : folds_of_groups)
    for (const std::string n : group_numbers) {
      ways.agree("{(" + fold + ")¨⊔𝕩}" + n);
      for (const std::string v : grouped) ways.agree("(" + n + "){(" + fold + ")¨𝕨⊔𝕩}" + v);
    }
}

TEST_CASE("what is grouped stays where it is read again") {
  BothWays ways;
  for (const char* program :
       {"x←10|7×↕90 ⋄ (≠¨⊔x)∾x", "x←√↕90 ⋄ g←9/↕10 ⋄ (+´¨g⊔x)∾x∾g", "n←0 ⋄ F←{n+↩1 ⋄ +´𝕩} ⋄ (F¨(9/↕10)⊔↕90)∾n",
        "{𝕩≤3? ≠¨⊔𝕩⥊↕3; +´¨⊔𝕩⥊↕3}¨3‿9", "≠¨⊔⊐\"mississippi\"", "w←\"ab cd  e\" ⋄ ≠¨((⊢-˜¬×+`)' '=w)⊔w"})
    ways.agree(program);
}
