#include "runtime/vm/stepping.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

namespace {

std::string traced(const char* program) {
  griddle::Interpreter bqn;
  std::string text;
  bqn.trace(program, text);
  return text;
}

}  // namespace

TEST_CASE("each step of a program is seen, in order and as deep as its block") {
  CHECK(traced("F←{⌽𝕩+1} ⋄ G←{𝕨-F 𝕩} ⋄ 2×3 G 3‿1‿4") ==
        "program\n"
        "  3 G ⟨ 3 1 4 ⟩\n"
        "    F ⟨ 3 1 4 ⟩\n"
        "      + → ⟨ 4 2 5 ⟩\n"
        "      ⌽ → ⟨ 5 2 4 ⟩\n"
        "    → ⟨ 5 2 4 ⟩\n"
        "    - → ⟨ ¯2 1 ¯1 ⟩\n"
        "  → ⟨ ¯2 1 ¯1 ⟩\n"
        "  × → ⟨ ¯4 2 ¯2 ⟩\n"
        "→ ⟨ ¯4 2 ¯2 ⟩\n");
}

TEST_CASE("errors, variables and blocks within others are gone through as without somebody who looks") {
  for (const char* program :
       {"a←↕3 ⋄ a∾↩⟨\"x\"⟩ ⋄ a 1⊸⌽↩ ⋄ b‿c←⟨1,⟨2⟩⟩ ⋄ {n⇐𝕩+a}¨b‿c", "{!𝕩}⎊{-𝕩} 3", "{𝕊:{a⇐𝕩}{𝔽𝕩}1}0", "+´{𝕩<2?𝕩;(𝕊𝕩-1)+𝕊𝕩-2}¨↕9",
        "i←0 ⋄ {𝕊:i+↩1}•_while_{𝕊:i<5}0 ⋄ i", "•BQN\"{𝕩+1}¨↕4\"", "⟨3‿4,\"ab\"⟩⊸{𝕩⊑𝕨}¨0‿1"}) {
    griddle::Interpreter plain, seen;
    std::string text;
    const griddle::Result expected = plain.eval_in_session(program), got = seen.trace(program, text);
    REQUIRE(expected.ok() == got.ok());
    CHECK(got->format() == expected->format());
    CHECK(text.find("program\n") == 0);
  }
}
