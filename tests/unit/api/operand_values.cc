#include "runtime/api/operand_values.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

namespace {

// Gives the line of a report that shows values, or nothing.
std::string values_line(griddle::Interpreter& bqn, std::string_view code) {
  const griddle::Result result = bqn.eval_in_session(code);
  REQUIRE(!result);
  const std::string& report = result.failure().report;
  const std::size_t at = report.find("\nHere ");
  return at == std::string::npos ? "" : report.substr(at + 1, report.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("an error of a session's line shows the names beside its place") {
  griddle::Interpreter bqn;
  for (const char* line :
       {"a←1‿2‿3", "b←1‿2", "text←\"it is \"\"so\"\"\"", "long←↕1000", "table←2‿3⥊0", "mixed←⟨1,\"two\",'3',⟨⟩,+⟩",
        "many←\"abc\"⥊˜100", "Less←-", "Sum←{𝕩+\"ab\"}", "c←'x'", "control←@+10"})
    CHECK(bqn.eval_in_session(line).ok());
  CHECK(values_line(bqn, "a+b") == "Here a is ⟨ 1 2 3 ⟩, b is ⟨ 1 2 ⟩");
  CHECK(values_line(bqn, "5⊑b") == "Here b is ⟨ 1 2 ⟩");
  CHECK(values_line(bqn, "x←a + b × 1") == "Here a is ⟨ 1 2 3 ⟩, b is ⟨ 1 2 ⟩");
  CHECK(values_line(bqn, "2000⊑long") == "Here long is ⟨ 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15…");
  CHECK(values_line(bqn, "-text") == "Here text is \"it is \"\"so\"\"\"");
  CHECK(values_line(bqn, "-many") == "Here many is \"abcabcabcabcabcabcabcabcabcabcabcabcab…");
  CHECK(values_line(bqn, "table + a") == "Here table is 2‿3 array, a is ⟨ 1 2 3 ⟩");
  CHECK(values_line(bqn, "-mixed") == "Here mixed is ⟨ 1 \"two\" '3' ⟨⟩ + ⟩");
  CHECK(values_line(bqn, "- c") == "Here c is 'x'");
  CHECK(values_line(bqn, "-control") == "Here control is character");
  CHECK(values_line(bqn, "↕1.5") == "");
  CHECK(values_line(bqn, "(a)+(b-0)") == "Here 𝕨 is ⟨ 1 2 3 ⟩, 𝕩 is ⟨ 1 2 ⟩");
}

TEST_CASE("an error within a function shows the operands of what failed") {
  griddle::Interpreter bqn;
  CHECK(bqn.eval_in_session("a←1‿2‿3 ⋄ b←1‿2 ⋄ F←{a←5 ⋄ 𝕩+b} ⋄ Sum←{𝕨+𝕩} ⋄ At←{𝕨⊑𝕩}").ok());
  const char* both = "Here 𝕨 is ⟨ 1 2 3 ⟩, 𝕩 is ⟨ 1 2 ⟩";
  CHECK(values_line(bqn, "F a") == both);
  CHECK(values_line(bqn, "a Sum b") == both);
  CHECK(values_line(bqn, "{𝕩 Sum b} a") == both);
  CHECK(values_line(bqn, "Sum´⟨a,b⟩") == both);
  CHECK(values_line(bqn, "7 At b") == "Here 𝕨 is 7, 𝕩 is ⟨ 1 2 ⟩");
  CHECK(values_line(bqn, "{𝕨⊏𝕩}⟜b 9") == "Here 𝕨 is 9, 𝕩 is ⟨ 1 2 ⟩");
  CHECK(values_line(bqn, "{𝕨∾𝕩}⟜(2‿2‿2⥊0) a") == "Here 𝕨 is ⟨ 1 2 3 ⟩, 𝕩 is 2‿2‿2 array");
  CHECK(values_line(bqn, "{𝕨≍𝕩}⟜b a") == both);
  CHECK(values_line(bqn, "{𝕨/𝕩}⟜a b") == "Here 𝕨 is ⟨ 1 2 ⟩, 𝕩 is ⟨ 1 2 3 ⟩");
  // What is wrong may lie deep in an operand, or show only in all of it.
  for (const auto& [code, values] :
       std::initializer_list<std::pair<const char*, const char*>>{{"{⟨2,¯1⟩⥊𝕩}b", "𝕨 is ⟨ 2 ¯1 ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{5⥊𝕩}⟨⟩", "𝕨 is 5, 𝕩 is ⟨⟩"},
                                                                  {"{4‿1⌽𝕩}b", "𝕨 is ⟨ 4 1 ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{\"a\"↑𝕩}b", "𝕨 is \"a\", 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{0.5↓𝕩}b", "𝕨 is 0.5, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{9↕𝕩}b", "𝕨 is 9, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{↕𝕩}⟨1,'a'⟩", "𝕩 is ⟨ 1 'a' ⟩"},
                                                                  {"{1‿1⍉𝕩}b", "𝕨 is ⟨ 1 1 ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{>𝕩}⟨b,3⟩", "𝕩 is ⟨ ⟨ 1 2 ⟩ 3 ⟩"},
                                                                  {"{∾𝕩}⟨2‿2⥊1,3‿3⥊1⟩", "𝕩 is list of length 2"},
                                                                  {"{a»𝕩}2‿2⥊b", "𝕨 is ⟨ 1 2 3 ⟩, 𝕩 is 2‿2 array"},
                                                                  {"{⟨0,9⟩⊏𝕩}b", "𝕨 is ⟨ 0 9 ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{⟨0,\"a\"⟩⊏𝕩}b", "𝕨 is ⟨ 0 \"a\" ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{⟨⟨0,9⟩⟩⊏𝕩}b", "𝕨 is ⟨ ⟨ 0 9 ⟩ ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{⟨1,2⟩⊑𝕩}b", "𝕨 is ⟨ 1 2 ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{1‿2‿3⊔𝕩}1↓b", "𝕨 is ⟨ 1 2 3 ⟩, 𝕩 is ⟨ 2 ⟩"},
                                                                  {"{⊔𝕩}⟨1,¯5⟩", "𝕩 is ⟨ 1 ¯5 ⟩"},
                                                                  {"{3‿1⍋𝕩}b", "𝕨 is ⟨ 3 1 ⟩, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{(2‿2⥊0)⍷𝕩}b", "𝕨 is 2‿2 array, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{(2‿2‿2⥊0)⊐𝕩}b", "𝕨 is 2‿2‿2 array, 𝕩 is ⟨ 1 2 ⟩"},
                                                                  {"{𝕩∊2‿2‿2⥊0}b", "𝕨 is ⟨ 1 2 ⟩, 𝕩 is 2‿2‿2 array"},
                                                                  {"{(2‿2‿2⥊0)⊒𝕩}b", "𝕨 is 2‿2‿2 array, 𝕩 is ⟨ 1 2 ⟩"}}) {
    CAPTURE(code);
    CHECK(values_line(bqn, code) == std::string("Here ") + values);
  }
  // Within boxes it is the inner pair that fails.
  CHECK(values_line(bqn, "⟨a,a⟩ Sum ⟨a,b⟩") == both);
  // What the error was caught and thrown anew for has other operands, or none.
  CHECK(values_line(bqn, "{𝕊: a Sum b}⎊{𝕊:!\"other\"} 0") == "");
}

TEST_CASE("no values are shown where names may be others, or nothing ran") {
  griddle::Interpreter bqn;
  CHECK(bqn.eval_in_session("a←1‿2‿3 ⋄ b←1‿2").ok());
  CHECK(values_line(bqn, "{a←\"x\" ⋄ a+b}") == "Here 𝕨 is \"x\", 𝕩 is ⟨ 1 2 ⟩");
  CHECK(values_line(bqn, "a b") == "");
  CHECK(values_line(bqn, "a +c") == "");
  CHECK(values_line(bqn, "•Nothing b") == "");
  // A program of its own knows nothing of the session's names.
  const griddle::Result own = bqn.eval("a←1‿2 ⋄ b←3‿4‿5 ⋄ a+b");
  REQUIRE(!own);
  CHECK(own.failure().report.find("Here ") == std::string::npos);
}
