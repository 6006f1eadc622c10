#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("trains and derived functions mean the same, made beforehand or as the program runs") {
  Machinery m;
  for (const char* f : {"⌽∾⊢", "-∘≠", "1+≠", "\"a\"∾⊢", "⌽", "≠-1˙"}) {
    const std::string g = f;
    CAPTURE(g);
    CHECK(m("G←" + g + " ⋄ G 1‿2‿3") == m("{𝕊: (" + g + ")1‿2‿3}0"));
  }
  CHECK(m("Make←{F G H: F G H} ⋄ 5").substr(0, 1) == "!");
  CHECK(m("F←{𝕏∾⊢} ⋄ {𝕏 1‿2}F⊑⟨⌽⟩") == "⟨ 2 1 1 2 ⟩");
  CHECK(m("F←{2⊸𝕏} ⋄ {𝕏 5}F⊑⟨-⟩") == "¯3");
  CHECK(m("_m←{𝔽𝔽} ⋄ -_m 5") == "5");
}

TEST_CASE("an operand that is none is an error") {
  Machinery m;
  CHECK(m("m←⊑⟨¨⟩ ⋄ {𝕏¨1}m").substr(0, 1) == "!");
  CHECK(m("t←⟨¨⟩ ⋄ G←{(⊑𝕩)+⊢} ⋄ {𝕏 1}G t").substr(0, 1) == "!");
}
