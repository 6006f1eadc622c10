#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("leaf blocks start again where a value is no number") {
  Machinery m;
  CHECK(m("{𝕩+1}¨1‿'a'‿⟨2,3⟩") == "⟨ 2 'b' ⟨ 3 4 ⟩ ⟩");
  CHECK(m("{𝕨>𝕩?𝕨;𝕩}´3‿1‿4‿1‿5") == "5");
  CHECK(m("{𝕩÷0×𝕩}¨1‿¯1") == "⟨ ∞ ¯∞ ⟩");
  CHECK(m("1‿2{𝕨-𝕩}¨\"ab\"").substr(0, 1) == "!");
}

TEST_CASE("leaf blocks read arrays that others hold") {
  Machinery m;
  CHECK(m("{𝕩⊑\"abc\"}¨2‿0‿¯1") == "\"cac\"");
  CHECK(m("l←⟨1,\"ab\",0.5,@,1‿0⟩ ⋄ {𝕩⊑l}¨↕5") == "⟨ 1 \"ab\" 0.5 @ ⟨ 1 0 ⟩ ⟩");
  CHECK(m("{⊑𝕩}¨⟨\"ab\",3,⟨\"cd\"⟩,1‿0,2‿300‿70000,0.5‿1⟩") == "⟨ 'a' 3 \"cd\" 1 2 0.5 ⟩");
  CHECK(m("{≠𝕩}¨⟨\"ab\",3,2‿3⥊0,⟨⟩⟩") == "⟨ 2 1 2 0 ⟩");
  CHECK(m("{𝕩≡5}¨⟨5,'a',⟨5⟩⟩") == "⟨ 1 0 0 ⟩");
  CHECK(m("{𝕩≢5}¨⟨5,'a',⟨5⟩⟩") == "⟨ 0 1 1 ⟩");
  CHECK(m("⟨\"ab\",\"cd\"⟩{𝕩⊑𝕨}¨0‿1") == "\"ad\"");
  CHECK(m("{(2|𝕩)◶⟨10,20⟩𝕩}¨↕3") == "⟨ 10 20 10 ⟩");
  CHECK(m("{⌊√𝕩}¨4‿10") == "⟨ 2 3 ⟩");
  CHECK(m("{×÷𝕩}¨4‿¯2") == "⟨ 1 ¯1 ⟩");
  CHECK(m("{𝕩⊑\"abc\"}¨0‿3").substr(0, 1) == "!");
  CHECK(m("{𝕩⊑\"abc\"}¨0.5‿1").substr(0, 1) == "!");
  CHECK(m("{⊑𝕩}¨⟨1,⟨⟩⟩").substr(0, 1) == "!");
}
