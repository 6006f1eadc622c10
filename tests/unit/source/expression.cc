#include <doctest/doctest.h>

#include "tests/support/tree_text.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("Calls, trains and modifiers bind as the grammar says") {
  check_parsed({
      {"1-2-3", "(- 1 (- 2 3))"},
      {"- - 3", "(- (- 3))"},
      {"+-×÷", "atop(+ fork(- × ÷))"},
      {"(+´÷≠)1‿2", "(fork(´(+) ÷ ≠) #1,2)"},
      {"(1+⊢)5", "(fork(1 + ⊢) 5)"},
      {"·+-", "atop(+ -)"},
      {"·+·-×", "atop(+ atop(- ×))"},
      {"2-⊸×3", "(⊸(- ×) 2 3)"},
      {"-∘÷¨⌜", "⌜(¨(∘(- ÷)))"},
      {"1⊸-⟜2‿3", "⟜(⊸(1 -) #2,3)"},
      {"·-3", "(- 3)"},
      {"1-· ⋄ 2", "(- 1 ·) ⋄ 2"},
      {"(F ·)-3 ⋄ F←-", "! Name used before its definition @ F"},
      {"(-·)-3", "(- (- ·) 3)"},
      {"+⌾(∘-)", "! Expected a left operand of the modifier @ ∘"},
      {"¨", "¨"},
      {"_m←¨ ⋄ - _m 3", "(m←¨) ⋄ (m(-) 3)"},
      {"F←G←-", "(f←(g←-))"},
  });
  check_parsed({
      {"1 2", "! Expected a function between two subjects (missing ‿?) @ 1 2"},
      {"(⊢+1)5", "! Expected a function between two subjects (missing ‿?) @ (⊢+1)5"},
      {"F←1+", "! Expected an argument right of the function @ +"},
      {"F←1 2+-", "! Expected a function left of the train (found a subject) @ 1"},
      {"∘-", "! Expected a left operand of the modifier @ ∘"},
      {"-∘", "! Expected a right operand of the 2-modifier @ ∘"},
      {"¨-", "! Expected an operand of the modifier @ ¨"},
      {"·¨3", "! Nothing (·) may not be an operand @ ·"},
      {"-⟜·", "! Nothing (·) may not be an operand @ ·"},
      {"a←·", "! Nothing (·) may not be assigned @ ·"},
      {"·", "! Expected a value at the end (found Nothing) @ ·"},
      {"+F←-", "! The assignment of a function or modifier must be parenthesised here @ F←-"},
      {"f←-", "! Expected the same role on both sides of an assignment (found subject and function) @ f←"},
      {"{-}3", "! Expected a function between two subjects (missing ‿?) @ {-}3"},
  });
}
