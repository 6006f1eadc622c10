#include <doctest/doctest.h>

#include <string>

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

TEST_CASE("bytes of few kinds, and of many, are numbered and kept once as anything else is") {
  BothWays ways;
  for (const char* kinds : {"1", "2", "5", "26", "65", "100", "251"})
    for (const char* f : {"⍷", "⊐", "⊒"})
      ways.agree("{" + std::string(f) + "¯128+" + kinds + "|(↕𝕩)×1+↕𝕩}¨⟨129,190,192,193,500,1000,2049,5000⟩");
  ways.agree("⍷\"abcde\"∾500⥊'f'");
  ways.agree("⊐(500⥊'f')∾\"abcde\"");
}
