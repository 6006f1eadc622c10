#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using namespace griddle::testing;

namespace {

constexpr const char* stepped[] = {"⊑⊐⟜5",     "≠⍷",     "≠∘⍷",    "+´⌽",       "\"al\"≡2⊸↑", "(2⊸↑)≡\"al\"", "⊑1⊸↓",
                                   "1‿2≡¯2⊸↑", "⌈´0⊸∾",  "⊢≡⌽",    "⌽≡∧",       "+´×˜",       "≢2⊸↓",         "5∊⌽",
                                   "5⊸∊⌽",     "(⊑⌽)⊸≡", "{⊑𝕩⊐5}", "{≠⍷𝕩}",     "3≡≠",        "\"gam\"⊸≡3⊸↑", "(1⊸⊑)∘⌽",
                                   "⊑0⊸⊏",     "≠/",     "∧´⊢≥»",  "0‿1≡·/2⊸=", "(⊑∘⌽)∘⍷",    "+´>⟜2",        "⋈˜",
                                   "≡˜",       "⊑˜",     "∾˜"};
constexpr const char* nested[] = {"70⥊⟨\"alpha\",\"be\",\"gamma ray\",\"x\"⟩",
                                  "70⥊⟨2‿1,⟨3⟩,4‿6‿5⟩",
                                  "70⥊⟨2‿1,\"\",⟨⟩,4‿6‿5⟩",
                                  "70⥊⟨2‿1,5,4‿6‿5⟩",
                                  "70⥊⟨2‿1,2‿2⥊1‿5,4‿6‿5⟩",
                                  "70⥊⟨⟨2‿1,\"a\"⟩,4‿6‿5⟩",
                                  "10‿7⥊⟨2‿1,5‿5‿5⟩",
                                  "70⥊⟨+,1‿2⟩",
                                  "5⥊⟨2‿1,⟨3⟩⟩",
                                  "70⥊1‿0.5",
                                  "70⥊0",
                                  "70⥊\"ab\"",
                                  "7‿10⥊↕70",
                                  "(<1‿2)∾69⥊<\"ab\""};

}  // namespace

TEST_CASE("functions of several parts give what calls for each element give, and fail as these do") {
  BothWays ways;
  for (const std::string f : stepped)
    for (const std::string x : nested) ways.agree("{r←(" + f + ")¨" + x + " ⋄ ⟨r,≢r,»⥊r⟩}⎊•CurrentError@");
}

TEST_CASE("functions that do more than compute are called for one element after the other") {
  BothWays ways;
  for (const char* program : {"l←⟨⟩ ⋄ F←{l∾↩⊑𝕩 ⋄ 𝕩} ⋄ ((⊑F)¨70⥊⟨2‿1,⟨3⟩⟩)∾l", "l←⟨⟩ ⋄ F←{l∾↩⊑𝕩 ⋄ 𝕩} ⋄ ((3‿4≡F)¨70⥊⟨2‿1,⟨3⟩⟩)∾l"})
    ways.agree(program);
}
