#include "runtime/bytecode/composition.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("a block of plain arithmetic does to arrays what it does to each element") {
  Machinery m;
  for (const char* block : {"{1+2×𝕩}", "{𝕩-𝕩÷3}", "{a←𝕩×2 ⋄ a-𝕩}", "{5|𝕩}", "{(𝕩>2)×𝕩}"}) {
    const std::string f = block;
    CAPTURE(f);
    CHECK(m(f + "¨↕50") == m("x←↕50 ⋄ {𝕊i: " + f + " i⊑x}¨↕50"));
    CHECK(!elementwise_form(m.cx, m.run(f), false).is_absent());
  }
  CHECK(elementwise_form(m.cx, m.run("{𝕩<3?1;2}"), false).is_absent());
  CHECK(elementwise_form(m.cx, m.run("{⌽𝕩}"), false).is_absent());
  CHECK(elementwise_form(m.cx, m.run("{𝕩+↕3}"), false).is_absent());
  CHECK(!elementwise_form(m.cx, m.run("{𝕨-2×𝕩}"), true).is_absent());
}

TEST_CASE("a block that only calls what its operands are is that function") {
  Machinery m;
  CHECK(m("{+´𝕩}¨⟨1‿2‿3,4‿5⟩") == "⟨ 6 9 ⟩");
  CHECK(m("p←2‿3 ⋄ {+´p×⥊𝕩}˘3‿2⥊↕6") == "⟨ 3 13 23 ⟩");
  CHECK(!composed_by_block(m.cx, m.run("{+´˘2↕𝕩}"), false).is_absent());
  // Beside a loop for few elements stands what meets them all.
  for (const char* block : {"{⌽¨𝕩}", "{2↑¨𝕩}", "{∾1⊸↓¨𝕩}", "{(2×+)´𝕩}", "{1(2×+)´𝕩}"}) {
    CAPTURE(block);
    CHECK(!composed_by_block(m.cx, m.run(block), false).is_absent());
  }
  CHECK(m("{(2×+)´𝕩}¨⟨1‿2‿3,4‿5⟩") == "⟨ 22 18 ⟩");
  CHECK(m("F←{𝕩≡\"ab\"} ⋄ F¨40⥊\"ab\"‿\"c\"‿3") == m("(≡⟜\"ab\")¨40⥊\"ab\"‿\"c\"‿3"));
  CHECK(m("p←2‿3 ⋄ F←{+´p×⥊𝕩} ⋄ a←F 1‿1 ⋄ p↩1‿1 ⋄ a‿(F 1‿1)") == "⟨ 5 2 ⟩");
}
