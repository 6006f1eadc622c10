#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("blocks that act run in place under Each") {
  Machinery m;
  CHECK(m("{c←0 ⋄ {c+↩𝕩}¨𝕩 ⋄ c}↕5") == "10");
  CHECK(m("{c←0 ⋄ {c+↩𝕩}¨𝕩}↕5") == "⟨ 0 1 3 6 10 ⟩");
  CHECK(m("{c←⟨⟩ ⋄ 𝕨{c∾↩𝕨-𝕩}¨𝕩 ⋄ c}´⟨1‿2‿3,4‿5‿6⟩") == "⟨ ¯3 ¯3 ¯3 ⟩");
  CHECK(m("{𝕩<3?'a';'b'}¨2‿3⥊↕6") == m("2‿3⥊\"aaabbb\""));
  CHECK(m("{𝕩<3?\"ab\";2}¨↕4") == "⟨ \"ab\" \"ab\" \"ab\" 2 ⟩");
  CHECK(m("{x←𝕩 ⋄ {x↩𝕩∾x}¨↕3 ⋄ x}5") == "⟨ 2 1 0 5 ⟩");
  CHECK(m("{𝕩<1?0;{a←𝕩 ⋄ {a+𝕩}}𝕩}¨0‿2").find("!") == std::string::npos);
}

TEST_CASE("shapes under Each are those of the arguments, in a loop too") {
  Machinery m;
  for (const char* x : {"4", "<4", "⟨⟩", "\"\"", "↕0", "⟨4⟩", "0‿3⥊0", "2‿3⥊↕6", "⟨1,\"ab\"⟩"}) {
    const std::string argument(x);
    CHECK(m("»⎊⊢{𝕩≡4?1;2}¨" + argument) == m("»⎊⊢(1+≢⟜4)¨" + argument));
  }
  for (const char* w : {"4", "<4", "⟨⟩", "1‿2", "2‿3⥊↕6", "1‿2‿3"})
    for (const char* x : {"4", "⟨⟩", "3‿4", "2‿3⥊6-↕6", "2‿2⥊0"}) {
      const std::string left(w), right(x);
      CHECK(m(left + "{𝕩>𝕨?𝕨;𝕩}¨" + right) == m(left + "⌊¨" + right));
    }
}

TEST_CASE("a loop that fails leaves nothing behind") {
  Machinery m;
  CHECK(m("{c←0 ⋄ {{c+↩𝕩 ⋄ 𝕩>2?!\"no\";𝕩}¨𝕩}⎊0 𝕩 ⋄ c}↕5") == "6");
  CHECK(m("{{𝕩>1?!\"no\";𝕩}¨𝕩}⎊{𝕊:•CurrentError@}⟨\"a\",2⟩").substr(0, 1) == "!");
}
