#include <doctest/doctest.h>

#include "tests/support/both_ways.h"
#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("appending one by one is linear") {
  Machinery m;
  CHECK(m("l←⟨⟩ ⋄ {l∾↩𝕩⋄0}¨↕200000 ⋄ ≠l") == "200000");
  CHECK(m("{𝕊: l←\"\" ⋄ {𝕊: l∾↩'a'}⍟200000 0 ⋄ ≠l}0") == "200000");
}

TEST_CASE("a branch needs 0 or 1, and says what it got") {
  Machinery m;
  CHECK(m("{𝕩?\"yes\";\"no\"}¨0‿1") == "⟨ \"no\" \"yes\" ⟩");
  CHECK(m("{𝕩?1;2}5").substr(0, 1) == "!");
  CHECK(m("{𝕩?1;2}\"a\"").substr(0, 1) == "!");
  CHECK(m("{2⊸<◶\"few\"‿\"many\"𝕩}¨1‿5") == "⟨ \"few\" \"many\" ⟩");
  CHECK(m("{𝕩◶⟨-,+⟩5}2").substr(0, 1) == "!");
}

TEST_CASE("an assertion passes its argument on, or fails with the message") {
  Machinery m;
  CHECK(m("\"why\"!1") == "1");
  CHECK(m("\"why\"!0") == "! why");
  CHECK(m("{𝕊: \"why\"!𝕩}⎊{𝕊: 7} 0") == "7");
}

TEST_CASE("elements are picked and lengths taken, of arrays and of what is none") {
  Machinery m;
  CHECK(m("{𝕨⊑𝕩}⟜(↕9)¨0‿¯1‿4") == "⟨ 0 8 4 ⟩");
  CHECK(m("{9⊑𝕩}↕9").substr(0, 1) == "!");
  CHECK(m("{≠𝕩}¨⟨5,\"abc\",2‿7⥊0⟩") == "⟨ 1 3 2 ⟩");
}

TEST_CASE("◶ and ⍟ mean the same with and without a derived function") {
  Machinery m;
  for (const char* x : {"0", "1", "3", "¯1"}) {
    std::string value = x;
    CHECK(m("{(𝕩>0)◶⟨{𝕩-1},{𝕩×2}⟩𝕩}" + value) == m("G←(>⟜0)◶⟨{𝕩-1},{𝕩×2}⟩ ⋄ G " + value));
    CHECK(m("5{(𝕨>𝕩)◶⟨{𝕨-𝕩},{𝕩×𝕨}⟩𝕩}" + value) == m("G←>◶⟨{𝕨-𝕩},{𝕩×𝕨}⟩ ⋄ 5{(𝕨>𝕩)◶⟨{𝕨-𝕩},{𝕩×𝕨}⟩𝕩}" + value));
    CHECK(m("{¯1◶⟨-,{𝕩+𝕩}⟩𝕩}" + value) == m("G←¯1◶⟨-,{𝕩+𝕩}⟩ ⋄ G " + value));
  }
  CHECK(m("{2⊸×⍟3 𝕩}5") == "40");
  CHECK(m("2{𝕨+⍟3 𝕩}5") == "11");
  CHECK(m("{1⊸+⍟⟨¯1,⟨2⟩⟩𝕩}10") == "⟨ 9 ⟨ 12 ⟩ ⟩");
  CHECK(m("{k←𝕩 ⋄ {𝕩+k}⍟4 𝕩}2") == "10");
  CHECK(m("{k←𝕩 ⋄ 3{𝕨+𝕩×k}⍟2 1}2") == "13");
  CHECK(m("{5◶⟨-,+⟩𝕩}1").substr(0, 1) == "!");
}

TEST_CASE("a place that has met lists meets Nothing, and variables are changed by what it remembers") {
  griddle::testing::BothWays ways;
  for (const std::string f : {"+", "-", "×", "÷", "⋆", "⌊", "⌈", "|", "∧", "∨", "¬", "<", "=", "≠", "≥", "∾", "⌽", "↑", "⊏"})
    for (const std::string list : {"⌽⌽1‿0‿1", "⌽⌽5‿3‿2", "⌽⌽1.5‿2", "⌽⌽\"ab\"", "⌽⌽2‿2⥊5‿3‿2", "⟨3,1‿2⟩"}) {
      const std::string calls = "{𝕊: l←" + list + " ⋄ {𝕊: (2 F l)∾˜F⎊0 l}¨↕40}⎊•CurrentError@";
      ways.agree("F←{𝕨" + f + "𝕩} ⋄ " + calls);
      ways.agree("F←{(2" + f + "𝕨)⊢𝕩} ⋄ {𝕊: l←" + list + " ⋄ {𝕊: l F⎊2 2}¨↕40 ⋄ F 3}⎊•CurrentError@");
      ways.agree("{𝕊: l←" + list + " ⋄ {𝕊: a←l ⋄ a" + f + "↩1 ⋄ a" + f + "˜↩2 ⋄ b←a ⋄ a" + f + "↩b ⋄ a‿b‿l}⎊0¨↕40}0");
    }
}
