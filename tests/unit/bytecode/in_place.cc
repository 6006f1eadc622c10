#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("choices and repetitions that are called at once make no derived function") {
  CHECK(compiles_to("{(𝕩<3)◶⟨{𝕩+1},{𝕩-1}⟩𝕩}", "choose"));
  CHECK(compiles_to("{𝕊⍟(𝕩<9)𝕩+1}", "repeat"));
}

TEST_CASE("blocks that are called where they stand run in the frame around them") {
  CHECK(compiles_to("{{𝕩+1}𝕩×2}", "block"));
  CHECK(!compiles_to("{{𝕩+1}𝕩×2}", "call1_block"));
  Machinery m;
  CHECK(m("{3{𝕨-𝕩}{𝕩+1}𝕩×2}5") == "¯8");
  CHECK(m("{𝕩{𝕨‿𝕩}𝕩+1}5") == "⟨ 5 6 ⟩");
  CHECK(m("{{𝕩↩9⋄𝕩}𝕩+1 ⋄ 𝕩}5") == "5");
}
