#include "runtime/bytecode/parts.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("trains and combinators that are called at once are called part by part") {
  for (const char* source : {"{(⌽∾⊢)𝕩}", "{w𝕊x:w⌽∘∾x}", "{w𝕊x:w-○≠x}", "{⌽⊸∾𝕩}", "{∾⟜⌽𝕩}", "{w𝕊x:w-˜x}", "{-⊘+𝕩}"}) {
    CAPTURE(std::string(source));
    const std::string text = listing(source);
    for (const char* part : {"derive", "fork", "atop", "call1", "call2"}) CHECK(text.find(part) == text.npos);
  }
}

TEST_CASE("parts give what the whole function gives") {
  Machinery m;
  for (const char* f : {"(⌽∾⊢)", "⌽∘∾", "(-○≠)", "(⌽⊸∾)", "(∾⟜⌽)", "(∾˜)", "(⊣∾⊢)", "(1∾⊢)", "(∾⊘⋈)"}) {
    const std::string g = f;
    CAPTURE(g);
    CHECK(m("{" + g + "𝕩}1‿2") == m("H←{𝕏 1‿2} ⋄ F←" + g + " ⋄ H f"));
    CHECK(m("3‿4{𝕨" + g + "𝕩}1‿2") == m("H←{3‿4 𝕏 1‿2} ⋄ F←" + g + " ⋄ H f"));
  }
}
