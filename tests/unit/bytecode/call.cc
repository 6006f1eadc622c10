#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("recursion by name is recursion by 𝕊") {
  CHECK(compiles_to("Fib←{𝕩<2?𝕩;(Fib 𝕩-1)+Fib 𝕩-2} ⋄ Fib 9", "call1_self"));
  CHECK(compiles_to("Fib←{(𝕩<2)◶⟨{(Fib 𝕩-1)+Fib 𝕩-2},⊢⟩𝕩} ⋄ Fib 9", "call1_self"));
}

TEST_CASE("a function is called from where it is known to be") {
  CHECK(compiles_to("{F←{𝕩+𝕨} ⋄ 1 F 𝕩}", "call2_block"));
  CHECK(compiles_to("{𝕏 1}", "call1_local"));
  CHECK(compiles_to("{𝔽𝕩}", "call1_operand"));
  CHECK(compiles_to("{F←𝕏 ⋄ {F 𝕩}}", "call1_outer"));
  CHECK(compiles_to("{(⊑𝕩){𝔽}1}", "call1"));
  CHECK(compiles_to("{2⊸×𝕩}", "multiply"));
}

TEST_CASE("arguments are computed from the right, and Nothing is passed on") {
  Machinery m;
  CHECK(m("a←1 ⋄ F←{𝕨‿𝕩} ⋄ (a+↩1)F a×10") == "⟨ 2 10 ⟩");
  CHECK(m("{(⌽𝕨)⋈𝕩}5") == "⟨ 5 ⟩");
  CHECK(m("{-𝕨 ⋄ 5}3") == "5");
  CHECK(m("{𝕨<3?\"less\";\"more\"}5").substr(0, 1) == "!");
}

TEST_CASE("predicates on numbers are one instruction with the jump") {
  CHECK(compiles_to("{𝕩<3?1;2}", "less"));
  CHECK(!compiles_to("{𝕩<3?1;2}", "test r"));
  CHECK(compiles_to("{⊑𝕩?1;2}", "test r"));
}

TEST_CASE("a call whose first element alone is wanted is told so") {
  CHECK(compiles_to("{⊑⍒𝕩}", "monad_then_first"));
  CHECK(compiles_to("{⊑3‿4∊𝕩}", "dyad_then_first"));
  CHECK(compiles_to("{(⊑⍒)𝕩}", "monad_then_first"));
  CHECK(!compiles_to("{⊑-𝕩}", "then_first"));
  CHECK(!compiles_to("{⌽⍒𝕩}", "then_first"));
  CHECK(!compiles_to("{y←⍒𝕩 ⋄ ⊑y}", "then_first"));
  Machinery m;
  CHECK(m("{⊑⍒𝕩}3‿9‿4") == "1");
  CHECK(m("{⊑𝕨∊𝕩}⟜(3‿9‿4) 9‿1") == "1");
  CHECK(m("{⊑⍒𝕩}⟨⟩").substr(0, 1) == "!");
}
