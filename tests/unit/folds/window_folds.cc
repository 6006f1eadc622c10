#include <doctest/doctest.h>

#include "tests/support/both_ways.h"
#include "tests/support/listing.h"

using namespace griddle::testing;

namespace {

constexpr const char* folds[] = {"+´˘𝕨↕𝕩", "+˝˘𝕨↕𝕩",   "+˝⍉𝕨↕𝕩", "{+´𝕩}˘𝕨↕𝕩", "(+´÷≠)˘𝕨↕𝕩", "{(+´𝕩)÷≠𝕩}˘𝕨↕𝕩", "⌈´˘𝕨↕𝕩",
                                 "⌊´˘𝕨↕𝕩", "⌈˝⍉𝕨↕𝕩",   "⌊˝˘𝕨↕𝕩", "∧´˘𝕨↕𝕩",    "∨´˘𝕨↕𝕩",     "𝕨(+´˘↕)𝕩",       "𝕨+´˘∘↕𝕩",
                                 "-´˘𝕨↕𝕩", "(⊣´)˘𝕨↕𝕩", "+´⍉𝕨↕𝕩", "+`˘𝕨↕𝕩",    "⌽˘𝕨↕𝕩",      "(+´÷≠)˝⍉𝕨↕𝕩",    "{𝕩⊑˜0}˘𝕨↕𝕩"};
// Lists on both sides of what sums of each type hold.
constexpr const char* lists[] = {"2|(↕90)÷3",
                                 "2|⌊(↕90)÷3",
                                 "¯50+101|37×↕90",
                                 "¯5000+10007|3701×↕90",
                                 "¯50000+100003|37019×↕90",
                                 "¯2e9+4e7×↕90",
                                 "90⥊127",
                                 "90⥊¯32768",
                                 "90⥊2147483647",
                                 "9007199254740992×↕90",
                                 "0.1×101|37×↕90",
                                 "÷1+↕90",
                                 "90⥊¯0",
                                 "1∾0÷⌽↕5",
                                 "'a'+↕9",
                                 "1‿\"a\"‿3",
                                 "3‿4⥊↕12",
                                 "⟨⟩",
                                 "5"};

}  // namespace

TEST_CASE("folds of windows are those of the table of windows") {
  BothWays ways;
  for (const std::string f : folds)
    for (const std::string x : lists)
      for (const char* size : {"0", "1", "2", "9", "40", "90", "91", "92", "¯1", "1.5", "⟨3⟩", "2‿2", "'a'"})
        ways.agree("W←{" + f + "} ⋄ (" + size + ")W " + x);
}

TEST_CASE("what folds windows is called as it stands where it reads variables, or where windows are no arguments of it") {
  BothWays ways;
  for (const char* program : {"n←0 ⋄ F←{n+↩1 ⋄ +´𝕩} ⋄ (F˘3↕↕9)∾n", "x←↕9 ⋄ w←3↕x ⋄ (+´˘w)⋈x", "x←↕9 ⋄ (+´˘3↕x)⋈x",
                              "x←↕9 ⋄ k←3 ⋄ r←+´˘k↕x ⋄ r‿k‿x", "{𝕩≤3? +´˘𝕩↕↕9; ⌈´˘𝕩↕↕9}¨3‿4", "{𝕊⁼𝕩: 0; +´˘3↕𝕩}⌽↕9"})
    ways.agree(program);
}

TEST_CASE("windows are folded by one instruction") {
  CHECK(compiles_to("{+´˘𝕨↕𝕩}", "dyad_then_fold"));
  CHECK(compiles_to("{+˝⍉𝕨↕𝕩}", "dyad_then_fold"));
  CHECK(!compiles_to("{⌽˘𝕨↕𝕩}", "dyad_then_fold"));
  CHECK(!compiles_to("{+˝𝕨↕𝕩}", "dyad_then_fold"));
}
