#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("an evaluator keeps names from one text to the next, and knows the glyphs that it is given") {
  Host run;
  CHECK(run("b←•ReBQN {repl⇐\"loose\"} ⋄ B \"a←5\" ⋄ B \"a+1\"") == "6");
  CHECK(run("b←•ReBQN {primitives⇐⟨'+'‿(⊑⟨-⟩)⟩} ⋄ B \"5+3\"") == "2");
  CHECK(run("b←•ReBQN {primitives⇐⟨'+'‿(⊑⟨-⟩)⟩} ⋄ B \"5×3\"").find("!") != std::string::npos);
  CHECK(run("•ReBQN {nothing⇐1}").find("•ReBQN") != std::string::npos);
}
