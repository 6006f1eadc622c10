#include "runtime/bytecode/choices.h"

#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("an index of several picks from the choices that a branch was made of") {
  Machinery m;
  CHECK(m("{⟨1,0⟩◶⟨-,+⟩𝕩}5").substr(0, 1) == "!");
  CHECK(m("{k←𝕩 ⋄ (k⥊1)◶⟨{𝕩-k},{𝕩+k}⟩7}1") == "8");
  CHECK(m("{k←𝕩 ⋄ (k⥊1)◶⟨{𝕩-k},{𝕩+k}⟩7}2").substr(0, 1) == "!");
  CHECK(m("{k←𝕩 ⋄ (⟨k⟩)◶⟨{𝕩-k},{𝕩+k}⟩7}1") == "8");
  CHECK(m("{(𝕩<3)◶⟨{𝕩×10},{-𝕩}⟩𝕩}¨2‿5") == "⟨ ¯2 50 ⟩");
}
