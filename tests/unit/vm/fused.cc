#include "runtime/value/fused_expression.h"

#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("an expression that is computed at once fails where and as its steps do") {
  Machinery m;
  try {
    m.run("{a←𝕩 ⋄ 1+2×a}\"a text that is long enough to count\"");
    FAIL("ran");
  } catch (const Error& e) {
    REQUIRE(!e.frames.empty());
    CHECK(e.frames[0].source->text.substr(e.frames[0].start, 2) == "×");
  }
  CHECK(m("{a←𝕩 ⋄ 1+2×a}↕3") == "⟨ 1 3 5 ⟩");
  CHECK(m("{𝕨+2×𝕩}´↕200") == m("⊑{𝕨+2×𝕩}´{⟨𝕩⟩}¨↕200"));
}

TEST_CASE("an expression meets lists of one type after another") {
  Machinery m;
  CHECK(m("F←{a←𝕩 ⋄ 1+2×a} ⋄ F¨⟨↕40,0.5×↕40,40⥊1e9,40⥊1,5,⟨1,⟨2⟩⟩⟩") == m("{1⊸+2⊸×𝕩}¨⟨↕40,0.5×↕40,40⥊1e9,40⥊1,5,⟨1,⟨2⟩⟩⟩"));
}
