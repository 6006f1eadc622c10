#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a few atoms are searched, ordered and classified alike") {
  BothWays ways;
  for (const char* f : {"⊐4↑𝕩", "⍷3↑𝕩", "∊5↑𝕩", "⍋4↑𝕩", "∧3↑𝕩", "(4↑𝕩)⊐𝕩"}) ways.on_lists(f);
  for (const char* program : {"1‿2‿1⊐1", "\"ab\"⊐'b'", "⊐⟨1,\"a\",1⟩", "∧3‿1‿2", "⍋\"ba\"", "⟨⟩⊐1"}) ways.agree(program);
}

TEST_CASE("short lists are searched by comparing each with each") {
  BothWays ways;
  for (const char* f : {"𝕨⊐𝕩", "𝕨∊𝕩"}) ways.on_pairs(f);
  for (const char* program : {"(127↑9|↕127)⊐↕2000", "(↕5000)∊100↑7×↕120", "(0.5×↕60)⊐0.5×80|7×↕3000"}) ways.agree(program);
}

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
