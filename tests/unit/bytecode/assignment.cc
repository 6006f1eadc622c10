#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("a variable is changed where it lies, if the function is known to be pure") {
  CHECK(compiles_to("{a←⌽𝕩 ⋄ a+↩1 ⋄ a}", "modifies"));
  CHECK(compiles_to("{a←⌽𝕩 ⋄ a↩a+1 ⋄ a}", "modifies"));
  CHECK(!compiles_to("{a←⌽𝕩 ⋄ a↩1-𝕩 ⋄ a}", "modifies"));
}

TEST_CASE("targets of every form take their parts") {
  Machinery m;
  CHECK(m("a‿⟨b,c⟩←1‿⟨2,3⟩ ⋄ c‿b‿a") == "⟨ 3 2 1 ⟩");
  CHECK(m("[a,b]←2‿2⥊↕4 ⋄ b∾a") == "⟨ 2 3 0 1 ⟩");
  CHECK(m("⟨p⇐x⟩←{x⇐7} ⋄ p") == "7");
  CHECK(m("a‿·←1‿2 ⋄ a") == "1");
  CHECK(m("a‿b←1‿2 ⋄ a‿b↩b‿a ⋄ a‿b") == "⟨ 2 1 ⟩");
  CHECK(m("a‿b←1‿2‿3").substr(0, 1) == "!");
  CHECK(m("⟨p⇐x⟩←{y⇐7}").substr(0, 1) == "!");
}

TEST_CASE("an assignment with a function gives the variable's old value to it") {
  Machinery m;
  CHECK(m("a←5 ⋄ a-↩2 ⋄ a") == "3");
  CHECK(m("a←5 ⋄ a{𝕨‿𝕩}↩2 ⋄ a") == "⟨ 5 2 ⟩");
  CHECK(m("a←↕5 ⋄ a↩2↓a ⋄ a") == "⟨ 2 3 4 ⟩");
  CHECK(m("{𝕊: a←↕5 ⋄ F←{a↩1↓a∾𝕩} ⋄ F 9 ⋄ a}0") == "⟨ 1 2 3 4 9 ⟩");
  CHECK(m("a←↕5 ⋄ a-⌾(2⊸⊑)↩ ⋄ a") == "⟨ 0 1 ¯2 3 4 ⟩");
}
