#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a variable that is modified in place keeps its value when the function fails") {
  Machinery m;
  CHECK(m("a←↕4 ⋄ {𝕊: a+↩\"ab\"}⎊0 1 ⋄ a") == "⟨ 0 1 2 3 ⟩");
  CHECK(m("a←↕4 ⋄ b←a ⋄ a×↩2 ⋄ b") == "⟨ 0 1 2 3 ⟩");
  CHECK(m("a←↕3 ⋄ a∾↩a ⋄ a∾↩9 ⋄ a") == "⟨ 0 1 2 0 1 2 9 ⟩");
  CHECK(m("{a←𝕩 ⋄ F←{a∾𝕩} ⋄ a F↩ ⋄ a}1‿2") == "⟨ 1 2 1 2 ⟩");
  CHECK(m("a‿b←1‿2 ⋄ a‿b⌽↩ ⋄ a‿b") == "⟨ 2 1 ⟩");
}

TEST_CASE("variables cannot be read before they are defined") {
  Machinery m;
  CHECK(m("{r←{late} ⋄ late←9 ⋄ r}").substr(0, 1) == "!");
  CHECK(m("{F←{late↩𝕩} ⋄ F 1 ⋄ late←9}").substr(0, 1) == "!");
  CHECK(m("{F←{a+𝕩}⋄a←4⋄F 1}") == "5");
}

TEST_CASE("an element is changed in place where nobody else sees it, and in a copy elsewhere") {
  Machinery m;
  CHECK(m("{𝕊: a←↕5 ⋄ b←a ⋄ a(10⊸+)⌾(2⊸⊑)↩ ⋄ a‿b}0") == "⟨ ⟨ 0 1 12 3 4 ⟩ ⟨ 0 1 2 3 4 ⟩ ⟩");
  CHECK(m("a←↕5 ⋄ {a (𝕩˙)⌾(𝕩⊸⊑)↩}¨1‿3 ⋄ a") == "⟨ 0 1 2 3 4 ⟩");
  CHECK(m("a←\"abc\" ⋄ F←{a ('z'˙)⌾(𝕩⊸⊑)↩} ⋄ F 1 ⋄ a") == "\"azc\"");
  CHECK(m("a←↕3 ⋄ a -⌾(7⊸⊑)↩").substr(0, 1) == "!");
  CHECK(m("a←↕3 ⋄ {a \"box\"˙⌾(𝕩⊸⊑)↩} 0 ⋄ a") == "⟨ \"box\" 1 2 ⟩");
}

TEST_CASE("a list that grows and shrinks in an outer variable keeps its elements") {
  Machinery m;
  CHECK(m("q←⟨⟩ ⋄ Push←{q∾↩𝕩} ⋄ Pop←{𝕊: r←⊑q ⋄ q↩1↓q ⋄ r} ⋄ {Push 𝕩}¨↕100 ⋄ a←Pop¨↕60 ⋄ (+´a)‿(≠q)‿(⊑q)") == "⟨ 1770 40 60 ⟩");
}
