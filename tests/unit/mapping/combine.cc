#include <doctest/doctest.h>

#include "tests/support/both_ways.h"
#include "tests/support/house.h"

using namespace griddle;
using griddle::testing::BothWays;
using namespace griddle::testing;

TEST_CASE("combinators decide which function meets which argument") {
  BothWays ways;
  for (const char* function :
       {"-˜𝕩", "(1⊸+)𝕩", "(-⟜1)𝕩", "⌽∘⌽𝕩", "𝕩≡○⌽𝕩", "(+⊘-)𝕩", "(0◶⌽‿⊢)𝕩", "⌽⍟1 𝕩", "⌽⍟0‿1‿2 𝕩", "(!∘0)⎊⌽𝕩"})
    ways.on_lists(function);
  for (const char* program : {"3 +⊘- 1", "2 ⊑◶⟨+,-,×⟩ 5", "(1‿0◶(2‿2⥊⟨+,-,×,÷⟩))5", "7◶+‿- 5", "\"a\"◶+‿- 5", "¯1◶+‿- 5",
                              "(+⍟2)1", "{𝕩+1}⍟¯1 5", "(2⊸×)⍟¯2 12", "(2⊸×)⍟1.5 12", "(2⊸×)⍟⟨0,⟨1,2⟩,¯1⟩ 12", "3 +⍟2‿0‿1 4",
                              "{!\"inner\"}⎊{•CurrentError@}0", "1{!𝕨}⎊{𝕨‿𝕩}0", "{⟨𝕩⟩⊑˜9}⎊0 3", "5˙1", "1 5˙ 2", "(⟨⟩⍟1)3"})
    ways.agree(program);
}

TEST_CASE("the handler of catch sees the message, and nobody after it") {
  House h;
  Value handler = h.native([](Context& cx, const Function&, Value) { return cx.current_error; });
  Value f = h.with(h.native(fail_at_two), U'⎊', handler);
  CHECK(h.shown(call(h.cx, f, Value(2))) == "\"two\"");
  CHECK(h.cx.current_error.is_absent());
}
