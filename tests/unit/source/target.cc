#include <doctest/doctest.h>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("Assignments in every form") {
  check_parsed({
      {"2+a←3", "(+ 2 (a←3))"},
      {"a←3 ⋄ a-↩", "(a←3) ⋄ (a↩- _)"},
      {"a←3 ⋄ a(-÷)↩ 2", "(a←3) ⋄ (a↩atop(- ÷) 2)"},
      {"a←3 ⋄ a-⟜1↩", "(a←3) ⋄ (a↩⟜(- 1) _)"},
      {"a←3 ⋄ 2×a{𝕩}↩4", "(a←3) ⋄ (× 2 (a↩f{𝕩} 4))"},
      {"a‿·‿b←1‿2‿3", "([a · b]←#1,2,3)"},
      {"⟨a,⟨b⟩⟩←1", "([a [b]]←1)"},
      {"[a,b]←2‿3", "(>[a b]←#2,3)"},
      {"⟨x‿y⇐A_b,c⟩←1", "! Expected the same role on both sides of an alias @ x‿y⇐A_b"},
      {"⟨x‿y⇐a_b,c⟩←1", "([[x y]⇐ab c]←1)"},
      {"((a))←3", "(a←3)"},
      {"A‿b←-‿2 ⋄ A b", "([a b]←[- 2]) ⋄ (a b)"},
      {"·←5", "(·←5)"},
      {"a‿b←1‿2⋄[a,b]⌽↩", "([a b]←#1,2) ⋄ (>[a b]↩⌽ _)"},
      {"{𝕏↩-⋄𝕩}", "f{(𝕩↩-) ⋄ 𝕩}"},
  });
  check_parsed({
      {"5←3", "! A constant may only be a target in a header @ 5"},
      {"⟨a,1⟩←3", "! A constant may only be a target in a header @ 1"},
      {"n←1⋄n.a↩2", "! Expected a target: a name or a list of targets @ n.a"},
      {"{𝕩←3}", "! A special name may only be changed, by ↩ @ 𝕩"},
      {"a‿·⌽↩", "! Nothing (·) may not be an element @ ·"},
      {"F←-⋄F ¨↩", "! Expected a target left of the function (no assignment of this role) @ F ¨"},
      {"a←", "! Expected a value right of the arrow @ ←"},
      {"←1", "! Expected a target left of the arrow @ ←"},
      {"[a⇐b]←1", "! An alias may only stand in ⟨⟩ @ a⇐b"},
      {"-↩", "! Expected a target left of the function (no assignment of this role) @ -"},
  });
}
