#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("values tell their type, glyph, source and parts") {
  Host run;
  CHECK(run("•Type¨⟨⟨⟩,1,'a',-⟩") == "⟨ 0 1 2 3 ⟩");
  CHECK(run("•Glyph ⊑⟨-⟩") == "'-'");
  CHECK(run("•Source ⊑⟨{𝕩+1}⟩") == "\"{𝕩+1}\"");
  CHECK(run("≠•Decompose ⊑⟨-∘÷⟩") == "4");
  CHECK(run("1 •Cmp 2") == "¯1");
  CHECK(run("•Glyph 5").find("!") != std::string::npos);
}
