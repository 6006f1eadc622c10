#include "runtime/system/patterns/replacement.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::Host;

TEST_CASE("text stands for matches, with groups by number and name") {
  Host run;
  CHECK(run("⟨\"(?<l>.)(.)\",\"$2${l}$$${0}$1\"⟩•re.Replace \"abc\"") == "\"ba$abac\"");
  CHECK(run("⟨\"b\",\"\"⟩•re.Replace \"abcb\"") == "\"ac\"");
  CHECK(run("⟨\"x*\",\"-\"⟩•re.Replace \"axxb\"") == "\"-a--b-\"");
  CHECK(run("⟨\"(a)|b\",\"[$1]\"⟩•re.Replace \"ab\"") == "\"[a][]\"");
  CHECK(run("⟨\"z\",\"y\"⟩•re.Replace \"abc\"") == "\"abc\"");
  CHECK(run("⟨\"a\",\"€\"⟩•re.Replace \"abc\"") == "\"€bc\"");
  CHECK(run("r←•re.Compile \"b(.)\" ⋄ \"$1\"r.Replace \"abcb\"") == "\"acb\"");
}

TEST_CASE("a function is given the groups of each match") {
  Host run;
  CHECK(run("⟨\"(a)(b)?\",{∾⌽𝕩}⟩•re.Replace \"ab-a\"") == "\"baab-aa\"");
  CHECK(run("⟨\".\",{⟨\".\",\"<$0>\"⟩•re.Replace ∾𝕩}⟩•re.Replace \"ab\"") == "\"<a><b>\"");
  // One expression may be used while it is in use.
  CHECK(run("r←•re.Compile \"\\d\" ⋄ F←{\"x\"r.Replace ∾𝕩} ⋄ f r.Replace \"1a2\"") == "\"xax\"");
  CHECK(run("⟨\"a\",{𝕊:3}⟩•re.Replace \"a\"") == "! •re.Replace: The result of the replacement must be a string (got a number)");
}

TEST_CASE("a replacement that means nothing is refused where it stands") {
  Host run;
  const auto message = [&](const char* replacement) {
    return run(std::string("⟨\"(?<n>a)\",\"") + replacement + "\"⟩•re.Replace \"b\"");
  };
  CHECK(message("x$2") == "! •re.Replace: The pattern has no such group (character 2 of the replacement \"x$2\")");
  CHECK(message("${m}") == "! •re.Replace: The pattern has no such group (character 1 of the replacement \"${m}\")");
  CHECK(message("${n") == "! •re.Replace: This ${ has no } (character 1 of the replacement \"${n\")");
  CHECK(message("a$").find("Behind $ there must be a number, a name in {}, or another $ (character 2") != std::string::npos);
  CHECK(message("$99999999999999999999").find("no such group") != std::string::npos);
  CHECK(run("\"ab\"•re.Replace \"b\"") == "! •re.Replace: 𝕨 must be a pattern and a replacement (got a list of length 2)");
  CHECK(run("⟨\"a\",5⟩•re.Replace \"b\"") == "! •re.Replace: The replacement must be a string (got a number)");
}
