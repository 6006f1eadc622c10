#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("arguments and functions are evaluated from the right, lists from the left") {
  Machinery m;
  CHECK(m("a←1 ⋄ a+(a↩5)+a") == "11");
  CHECK(m("a←1 ⋄ a‿(a↩5)‿a") == "⟨ 1 5 5 ⟩");
  CHECK(m("a←2 ⋄ (a↩3)-a") == "1");
  CHECK(m("l←⟨⟩ ⋄ P←{l∾↩𝕩⋄𝕩} ⋄ x←(P 1)({P 2⋄+}{𝔽})P 3 ⋄ l") == "⟨ 3 2 1 ⟩");
}

TEST_CASE("Nothing passes through calls") {
  Machinery m;
  CHECK(m("{(5+𝕨)-𝕩}3") == "¯3");
  CHECK(m("{𝕨-𝕩}3") == "¯3");
  CHECK(m("4{𝕨-𝕩}3") == "1");
  CHECK(m("F←{𝕩} ⋄ {⊑⟨F 𝕨⟩}3").substr(0, 1) == "!");
  CHECK(m("F←{𝕩} ⋄ {1∾F 𝕨 ⋄ 5}3") == "5");
  CHECK(m("{⟨𝕨,𝕩⟩}3").substr(0, 1) == "!");
  CHECK(m("{(𝕨-⊢)𝕩}7") == "¯7");
  CHECK(m("{𝕨↩4⋄𝕩}3").substr(0, 1) == "!");
}

TEST_CASE("an interrupt ends a program and cannot be caught") {
  Machinery m;
  m.cx.request_interrupt();
  CHECK(m("{𝕊𝕩}⎊1 0") == "! Interrupted");
  CHECK(m("1+1") == "2");
}

TEST_CASE("an instruction on numbers gives what the primitive gives, for constants and branches too") {
  Machinery m;
  for (const char* f : {"+", "-", "×", "÷", "⌊", "⌈", "|", "∧", "∨", "<", "≤", "=", "≥", ">", "≠", "⋆", "√", "¬", "⊣", "⊢"})
    for (const char* w : {"0", "3", "¯7", "0.5", "1e9", "∞", "'a'"})
      for (const char* x : {"0", "2", "¯1", "1.5", "¯0", "∞", "'b'"}) {
        const std::string call = std::string(w) + f + x, by_list = "⊑⟨" + std::string(w) + "⟩" + f + x;
        CAPTURE(call);
        const std::string wanted = m("{𝕊: " + by_list + "}⎊\"fails\" 0");
        CHECK(m("{w𝕊x: w" + std::string(f) + "x}⎊\"fails\"˜´" + std::string(x) + "‿" + w) == wanted);
        CHECK(m("{𝕩" + std::string(f) + x + "}⎊\"fails\" " + w) == wanted);
        CHECK(m("{" + std::string(w) + f + "𝕩}⎊\"fails\" " + x) == wanted);
      }
}
