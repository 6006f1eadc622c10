#include "runtime/format/operation.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("operations are spelled as a program would, with the parentheses they need") {
  Machinery m;
  for (const char* source :
       {"+", "+´", "+´÷≠", "⌽∘⍉", "-⟜1", "2⊸×", "(-÷)´", "+´∘×", "⊢⌾(1⊸⊑)", "\"ab\"⊸∾", "+˝˘", "⌽⍟3", "5+⊢"}) {
    CAPTURE(std::string(source));
    const std::string once = m(std::string("F←") + source + " ⋄ f");
    CHECK(m("F←" + once + " ⋄ f") == once);
    CHECK(m("F←" + once + " ⋄ G←" + source + " ⋄ f≡g") == "1");
  }
  CHECK(m("F←+´÷≠ ⋄ f") == "+´÷≠");
  CHECK(m("F←{𝕩}¨ ⋄ f") == "(function block)¨");
}
