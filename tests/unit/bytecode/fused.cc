#include <doctest/doctest.h>

#include <string>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("expressions of arithmetic on variables are also one instruction") {
  CHECK(compiles_to("{a←𝕩 ⋄ 1+2×a}", "fused"));
  CHECK(compiles_to("{+´𝕨×𝕩}", "fused"));
  CHECK(!compiles_to("{1+𝕩}", "fused"));
  CHECK(!compiles_to("{1+⌽𝕩}", "fused"));
}

TEST_CASE("what is computed at once is what its steps give") {
  Machinery m;
  for (const char* x : {"↕100", "0.5×↕40", "2|↕130", "1e9×↕70", "\"ab\"", "5", "⟨1,⟨2,3⟩⟩", "⟨⟩"}) {
    const std::string v = x;
    CAPTURE(v);
    CHECK(m("{a←𝕩 ⋄ 1+2×a-3}⎊\"fails\" " + v) == m("{1⊸+{𝔽𝕩}2⊸×{𝔽𝕩}(-⟜3){𝔽𝕩}𝕩}⎊\"fails\" " + v));
  }
}
