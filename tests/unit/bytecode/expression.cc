#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("constants and variables stay where they are until somebody needs them") {
  CHECK(compiles_to("{𝕩+1}", "add_constant"));
  CHECK(compiles_to("{1-𝕩}", "subtract"));
  CHECK(!compiles_to("{𝕩+1}", "copy"));
  CHECK(!compiles_to("{𝕨+𝕩}", "copy"));
}

TEST_CASE("functions that are known are made once, and lists at their place") {
  CHECK(!compiles_to("{(⌽∾⊢)¨𝕩}", "fork"));
  CHECK(compiles_to("{F←𝕏 ⋄ (⌽∾F)}", "fork"));
  CHECK(compiles_to("{⟨𝕩,1⟩}", "list"));
  CHECK(!compiles_to("⟨1,\"a\"⟩", "list"));
  CHECK(compiles_to("{>⟨𝕩,𝕩⟩}", "list"));
  CHECK(compiles_to("{𝕩.a}", "field"));
}

TEST_CASE("a loop for its effect keeps no results") {
  Machinery m;
  CHECK(m("n←0 ⋄ {n+↩𝕩}¨↕10 ⋄ n") == "45");
  CHECK(m("n←⟨⟩ ⋄ 1‿2{n∾↩𝕨×𝕩}¨3‿4 ⋄ n") == "⟨ 3 8 ⟩");
  CHECK(m("{n+↩𝕩}¨↕2 ⋄ n←0").substr(0, 1) == "!");
}
