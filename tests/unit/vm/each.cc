#include <doctest/doctest.h>

#include "runtime/vm/machine.h"
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

TEST_CASE("blocks that use what is around them give under Each what their values give") {
  Machinery m;
  for (const char* length : {"0", "1", "2", "15", "31", "32", "33", "100"}) {
    const std::string n(length);
    CHECK(m("{y←𝕩 ⋄ {y+2×𝕩}¨↕" + n + "}7") == m("7+2×↕" + n));
    CHECK(m("{y←𝕩 ⋄ (↕" + n + "){y⋈𝕨-𝕩}¨1}7") == m("7⋈¨1-˜↕" + n));
    CHECK(m("{y←𝕩 ⋄ 2{y⋈𝕨-𝕩}¨↕" + n + "}7") == m("7⋈¨2-↕" + n));
    CHECK(m("{F←{𝕩<2?𝕨;𝕨𝕊𝕩-2} ⋄ y←𝕩 ⋄ {𝕩-y F 𝕩}¨↕" + n + "}7") == m("¯7+↕" + n));
    CHECK(m("{y←𝕩 ⋄ {y↑𝕩}¨<⌜" + n + "⥊\"abc\"}2") == m("2⊸↑¨<⌜" + n + "⥊\"abc\""));
  }
}

TEST_CASE("functions with changing data give under Each what they give one by one") {
  Machinery m;
  for (const char* x :
       {"⟨⟩", "⟨1‿2⟩", "⟨1‿2,\"abc\",⟨⟩⟩", "4", "<\"ab\"", "2‿2⥊⟨1‿2,\"abc\"⟩", "8⥊<\"ab\"", "9⥊<\"ab\"", "40⥊⟨1‿2,\"abc\"⟩"}) {
    const std::string argument(x);
    CHECK(m("{k←𝕩 ⋄ k⊸↓¨" + argument + "}1") == m("1⊸↓¨" + argument));
    CHECK(m("{k←𝕩 ⋄ (k∾k+1)⊸∾¨" + argument + "}1") == m("1‿2⊸∾¨" + argument));
    CHECK(m("{F←{𝕨⋈𝕩} ⋄ k←𝕩 ⋄ (k+1)⊸F¨" + argument + "}1") == m("2⊸⋈¨" + argument));
    CHECK(m("{k←𝕩 ⋄ (k⊸↓⋈k↑⊢)¨" + argument + "}1") == m("(1⊸↓⋈1↑⊢)¨" + argument));
  }
  CHECK(m("{c←0 ⋄ r←(c+↩𝕩)⊸⋈¨⟨1‿2,\"ab\"⟩ ⋄ r∾c}3") == m("⟨⟨3,1‿2⟩,⟨3,\"ab\"⟩,3⟩"));
  CHECK(m("{(1↓𝕩)⊸⊏¨⟨1‿2,\"a\"⟩}⎊{𝕩}⟨0,1⟩") == "⟨ 0 1 ⟩");
}

TEST_CASE("blocks that use what is around them give under Fold what their values give") {
  Machinery m;
  for (const char* length : {"1", "2", "3", "31", "32", "33", "100"}) {
    const std::string n(length);
    CHECK(m("{y←𝕩 ⋄ {𝕨+y×𝕩}´↕" + n + "}3") == m("{𝕨+3×𝕩}´↕" + n));
    CHECK(m("{y←𝕩 ⋄ 5{𝕨+y×𝕩}´↕" + n + "}3") == m("5{𝕨+3×𝕩}´↕" + n));
    CHECK(m("{y←𝕩 ⋄ ⟨⟩{y∾𝕨∾𝕩}´↕" + n + "}3") == m("⟨⟩{3∾𝕨∾𝕩}´↕" + n));
    CHECK(m("{y←𝕩 ⋄ {𝕨>y?𝕨;𝕩}´" + n + "⥊\"abz\"}'b'") == m("{𝕨>'b'?𝕨;𝕩}´" + n + "⥊\"abz\""));
  }
  CHECK(m("{y←𝕩 ⋄ 5{𝕨+y×𝕩}´⟨⟩}3") == "5");
  for (const char* x : {"⟨⟩", "4", "<4", "2‿2⥊1"}) {
    const std::string argument(x);
    CHECK(m("{y←𝕩 ⋄ {𝕨+y×𝕩}´" + argument + "}3").substr(0, 8) == m("{𝕨+3×𝕩}´" + argument).substr(0, 8));
    CHECK(m("{y←𝕩 ⋄ {𝕨+y×𝕩}´" + argument + "}3").substr(0, 1) == "!");
  }
}

TEST_CASE("choices with blocks give under Each what their value gives") {
  Machinery m;
  for (const char* x : {"⟨⟩", "4", "\"abc\"", "↕40", "2‿3⥊↕6", "⟨1‿2,\"abc\",⟨⟩,3⟩", "40⥊⟨1‿2,\"abc\"⟩"})
    for (const char* f : {"{𝕩≡1‿2}◶⟨⊢,{𝕊:\"zz\"}⟩", "{0<≠⥊𝕩}◶⟨{𝕩∾3},⌽∘⥊⟩", "{⟨𝕩≡2⟩}◶⟨{𝕩⋈1},⊢⟩", "{2}◶⟨{𝕩},⊢⟩"}) {
      const std::string source(f), argument(x);
      CAPTURE(source + "¨" + argument);
      CHECK(m("{" + source + "¨𝕩}" + argument) == m("(" + argument + "){𝕏¨𝕨}⊑⟨" + source + "⟩"));
      CHECK(m("{y←1 ⋄ {y≡1}◶⟨" + source + ",{y⋈𝕩}⟩¨𝕩}" + argument) == m("1⋈¨" + argument));
    }
  CHECK(m("{c←0 ⋄ r←{𝕊: c+↩1 ⋄ 2|c}◶⟨{c+↩1 ⋄ 𝕩},{c∾𝕩}⟩¨𝕩 ⋄ r∾c}3‿4‿5") == "⟨ ⟨ 1 3 ⟩ 4 5 5 ⟩");
  CHECK(m("{c←0 ⋄ r←{c+↩1 ⋄ 2|c}◶⟨{c+↩1 ⋄ 𝕩},{c∾𝕩}⟩¨𝕩 ⋄ r∾c}3‿4‿5") == "⟨ ⟨ 1 3 ⟩ ⟨ 1 4 ⟩ ⟨ 1 5 ⟩ 1 ⟩");
}

TEST_CASE("a loop that fails leaves nothing behind") {
  Machinery m;
  CHECK(m("{c←0 ⋄ {{c+↩𝕩 ⋄ 𝕩>2?!\"no\";𝕩}¨𝕩}⎊0 𝕩 ⋄ c}↕5") == "6");
  CHECK(m("{y←𝕩 ⋄ {𝕨=1?!\"no\";y∾𝕨∾𝕩}´↕5}⎊{𝕩}6") == "6");
  CHECK(m("{{𝕩>1?!\"no\";𝕩}¨𝕩}⎊{𝕊:•CurrentError@}⟨\"a\",2⟩").substr(0, 1) == "!");
}

TEST_CASE("Each notes on a block that it could but call it for each element") {
  Machinery m;
  const auto attempts = [&](const char* block, const char* elements, CalledFor called) {
    const Value f = m.run("⊑⟨" + std::string(block) + "⟩");
    call(m.cx, derive1(m.cx, primitive(m.cx, Glyph::each), f), m.run(elements));
    return code_of(static_cast<const BlockFunction&>(f.function()).code)->called_by_elements[static_cast<int>(called)].attempts();
  };
  const char* const many = "40⥊⟨1‿2‿3,4‿5‿6⟩";
  CHECK(!attempts("{(𝕩>2)/𝕩}", many, CalledFor::boxes));
  CHECK(attempts("{(𝕩>2)/𝕩}", many, CalledFor::elements));
  CHECK(attempts("{≠𝕩}", many, CalledFor::boxes));
  CHECK(attempts("{(𝕩>2)/𝕩}", "⟨1‿2‿3⟩", CalledFor::boxes));  // few are called in any case
  CHECK(!attempts("{𝕩⊑\"abc\"∾𝕩⥊'d'}", "40⥊3‿4", CalledFor::elements));
}
TEST_CASE("what is called by its elements is attempted again, ever more seldom") {
  CalledByElements note;
  CHECK(note.attempts());
  for (const int loops : {16, 32, 64, 128, 255, 255}) {
    note.note_vain();
    for (int i = 0; i < loops; i++) CHECK(!note.attempts());
    CHECK(note.attempts());
  }
}
TEST_CASE("loops over many elements give what the whole gives, whatever was found before") {
  Machinery m;
  for (const char* x : {"↕40", "40⥊\"abc\"", "8‿5⥊↕40", "40⥊⟨1‿2‿3,4‿5⟩", "40⥊⟨1‿2‿3,4,\"ab\"⟩"}) {
    const std::string argument(x);
    CHECK(m("{y←𝕩 ⋄ F←{𝕊 a: ⟨{y⊑⥊𝕩∾3}¨a⟩} ⋄ (⊢≡20⥊1⊸↑){𝕊:F " + argument + "}¨↕20}0") == "1");
    CHECK(m("{y←𝕩 ⋄ F←{𝕊 a: ⟨a{y⊑⥊𝕨∾𝕩}¨a⟩} ⋄ (⊢≡20⥊1⊸↑){𝕊:F " + argument + "}¨↕20}0") == "1");
  }
}

TEST_CASE("a block under Cells gives in the frame around it what its value gives") {
  Machinery m;
  for (const char* x : {"5", "↕5", "\"abc\"", "⟨1‿2,\"ab\"⟩", "2‿3⥊↕6", "2‿3⥊\"abcdef\"", "2‿2⥊⟨1,\"ab\",3‿4,'a'⟩", "3‿2‿2⥊↕12",
                        "0‿3⥊0", "3‿0⥊\"\"", "0‿0⥊⟨⟩", "40‿3⥊↕7", "40‿2⥊0‿1", "<4", "2↕↕5"}) {
    const std::string argument(x);
    for (const char* block :
         {"{𝕩∾9}", "{⌽𝕩}", "{1⊑⥊𝕩∾3}", "{<𝕩}", "{≠𝕩}", "{𝕩≡𝕩}", "{⟨𝕩⟩}", "{(+´⥊𝕩)×𝕩}", "{𝕩⋈\"a\"}", "{(2|+´⥊0×𝕩≡𝕩)◶⟨⌽,⊢⟩𝕩}"}) {
      const std::string f(block);
      CAPTURE(f + "˘" + argument);
      CHECK(m("{" + f + "˘𝕩}" + argument) == m("(" + argument + "){𝕏˘𝕨}⊑⟨" + f + "⟩"));
    }
    CHECK(m("{y←𝕩 ⋄ {y⊣𝕩}˘" + argument + "}1") == m("(" + argument + "){𝕏˘𝕨}⊑⟨{1⊣𝕩}⟩"));
  }
  CHECK(m("{{2>⊑𝕩?1‿2;3}˘𝕩}↕4").find("Cells: Results of 𝔽 must have equal shapes") != std::string::npos);
  CHECK(m("{{!𝕩<2 ⋄ 𝕩}˘𝕩}⎊{𝕊:9}↕4") == "9");
}
