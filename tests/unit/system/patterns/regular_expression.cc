#include "runtime/system/patterns/regular_expression.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("characters are code points, whatever their storage form") {
  Host run;
  CHECK(run("\".\"•re.FindAll \"aé€😀\"") == "⟨ ⟨ 0 1 2 3 ⟩ ⟨ 1 1 1 1 ⟩ ⟩");
  CHECK(run("\"\\w+\"•re.Find \"- žluť €\"") == "⟨ 2 4 ⟩");
  CHECK(run("\"[^a]\"•re.Find ⟨'a','b'⟩∾<'c'") == run("⟨1,1⟩"));
  // Halves of surrogate pairs are characters.
  CHECK(run("(⋈@+55357)•re.Find \"a\"∾@+56832‿55357") == "⟨ 2 1 ⟩");
  CHECK(run("\".\"•re.Find ⟨⟩") == "⟨⟩");
  CHECK(run("\"\"•re.Find ⟨⟩") == "⟨ 0 0 ⟩");
}

TEST_CASE("options change what a pattern means") {
  Host run;
  const auto finds = [&](const char* options, const char* pattern, const char* text) {
    return run(std::string("r←{") + options + "}•re.Compile \"" + pattern + "\" ⋄ r.Find " + text);
  };
  CHECK(finds("caseless⇐0", "É", "\"é\"") == "⟨⟩");
  CHECK(finds("caseless⇐1", "É", "\"é\"") == "⟨ 0 1 ⟩");
  CHECK(finds("caseless⇐1,ascii⇐1", "Ж", "\"ж\"") == "⟨⟩");
  CHECK(finds("caseless⇐1", "(Ж)\\1", "\"жЖ\"") == "⟨ 0 2 ⟩");
  CHECK(finds("multiline⇐0", "^b", "\"a\"∾(@+10)∾\"b\"") == "⟨⟩");
  CHECK(finds("multiline⇐1", "^b", "\"a\"∾(@+10)∾\"b\"") == "⟨ 2 1 ⟩");
  CHECK(finds("dotall⇐0", ".", "⋈@+10") == "⟨⟩");
  CHECK(finds("dotall⇐1", ".", "⋈@+10") == "⟨ 0 1 ⟩");
  CHECK(finds("extended⇐1", "a b # c", "\"xab\"") == "⟨ 1 2 ⟩");
  CHECK(finds("ungreedy⇐1", "a+", "\"aaa\"") == "⟨ 0 1 ⟩");
  CHECK(finds("ascii⇐1", "\\w", "\"é\"") == "⟨⟩");
  CHECK(finds("literal⇐1", "a.b", "\"axb a.b\"") == "⟨ 4 3 ⟩");
  CHECK(run("{cases⇐1}•re.Compile \"a\"") == "! •re.Compile: There is no option with this name (cases)");
  CHECK(run("{steps⇐0}•re.Compile \"a\"") == "! •re.Compile: The option steps must be above 0");
  CHECK(run("{caseless⇐2}•re.Compile \"a\"") == "! •re.Compile: The option caseless must be 0 or 1 (got 2)");
}

TEST_CASE("a pattern that is wrong is shown with a caret under its line") {
  Host run;
  CHECK(run("\"x(y\"•re.Match \"\"") == "! •re.Match: Missing closing parenthesis (character 4 of the pattern)\n  x(y\n     ^");
  CHECK(run("(\"a\"∾(@+10)∾\"é[z\"∾(@+10)∾\"b\")•re.Match \"\"").find("\n  é[z\n") == std::string::npos);
  CHECK(run("(\"(*UTF)a\")•re.Match \"\"").find("Using UTF is disabled") != std::string::npos);
  CHECK(run("5•re.Match \"\"") == "! •re.Match: 𝕨 must be a string (got a number)");
  CHECK(run("•re.Compile 5") == "! •re.Compile: The pattern must be a string (got a number)");
}

TEST_CASE("a match that would never end is given up") {
  Host run;
  const std::string given_up = " steps: see the option steps";
  CHECK(run("\"(a+)+$\"•re.Match (40⥊'a')∾\"b\"") == "! •re.Match: The match takes more than 10000000" + given_up);
  CHECK(run("r←{steps⇐1000}•re.Compile \"(a+)+$\" ⋄ r.Match (40⥊'a')∾\"b\"") ==
        "! •re.Match: The match takes more than 1000" + given_up);
  CHECK(run("\"(a+)+$\"•re.Match 40⥊'a'") == "1");
}

TEST_CASE("a match that goes deep needs more than the usual stack, up to a limit") {
  Host run;
  CHECK(run("\"^(a|b|ab)*$\"•re.Match 2e4⥊\"ab\"") == "1");
  CHECK(run("\"^(a|b|ab)*$\"•re.Match 1e6⥊\"ab\"") == "! •re.Match: The match needs more than 256 megabytes");
}

TEST_CASE("memory of patterns and matches is that of the interpreter") {
  griddle::Options options;
  options.memory_limit = std::size_t{16} << 20;
  Host run{griddle::Interpreter(options)};
  CHECK(run("\"((ab){3000}){3000}\"•re.Match \"a\"").starts_with("! "));
  CHECK(run("1+1") == "2");
}
