#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("leaf blocks start again where a value is no number") {
  Machinery m;
  CHECK(m("{𝕩+1}¨1‿'a'‿⟨2,3⟩") == "⟨ 2 'b' ⟨ 3 4 ⟩ ⟩");
  CHECK(m("{𝕨>𝕩?𝕨;𝕩}´3‿1‿4‿1‿5") == "5");
  CHECK(m("{𝕩÷0×𝕩}¨1‿¯1") == "⟨ ∞ ¯∞ ⟩");
  CHECK(m("1‿2{𝕨-𝕩}¨\"ab\"").substr(0, 1) == "!");
}
