#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a few cells and boxes are compared with each other") {
  BothWays ways;
  for (const char* program :
       {"⟨\"ab\",\"c\",\"ab\",3,\"c\"⟩ {⊐𝕩} ⟨\"ab\",\"c\",\"ab\",3,\"c\"⟩", "∊⟨\"ab\",\"c\",\"ab\",3⟩",
        "⍷⟨\"ab\",\"c\",\"ab\",3⟩", "⍷⟨1‿2,1‿2⟩", "⊐⟨⟩‿⟨⟩‿\"\"", "⊐⋈\"one\"", "⍷3‿2⥊\"abcdab\"", "⍷4‿3⥊↕6", "⍷2‿0⥊0", "⊐3‿20⥊↕40",
        "∊3‿20⥊↕40", "(3‿20⥊↕60)⊐2‿20⥊20+↕30", "(2‿20⥊20+↕30)∊3‿20⥊↕60", "(3‿20⥊↕60)⊐2‿20⥊'a'+↕40", "(0‿20⥊0)⊐2‿20⥊0",
        "(0‿20⥊0)⊐200‿20⥊0", "(200‿20⥊0)∊0‿20⥊0", "3↑⍷\"ab\"‿\"ab\""})
    ways.agree(program);
  // One more than are compared.
  ways.agree("⊐⟨\"a\",\"b\",\"c\",\"a\",\"b\",\"c\",\"d\"⟩");
  ways.agree("⍷17‿2⥊↕5");
}
