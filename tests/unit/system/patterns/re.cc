#include <doctest/doctest.h>

#include <string>

#include "tests/support/called.h"

using griddle::testing::Host;

TEST_CASE("each function says what it finds, and what there is where it finds nothing") {
  Host run;
  CHECK(run("\"b\"⊸•re.Match¨⟨\"abc\",\"xyz\"⟩") == "⟨ 1 0 ⟩");
  CHECK(run("\"z\"•re.Find \"abc\"") == "⟨⟩");
  CHECK(run("\"z\"•re.FindAll \"abc\"") == "⟨ ⟨⟩ ⟨⟩ ⟩");
  CHECK(run("\"z\"•re.Where \"abc\"") == "⟨⟩");
  CHECK(run("\"z\"•re.Groups \"abc\"") == "⟨⟩");
  CHECK(run("≢\"(z)\"•re.GroupsAll \"abc\"") == "⟨ 0 2 ⟩");
  CHECK(run("\"(?<a>z)\"•re.Named \"abc\"") == "⟨⟩");
  CHECK(run("\"z\"•re.Split \"abc\"") == "⟨ \"abc\" ⟩");
  CHECK(run("\"z\"•re.Split \"\"").starts_with("⟨ "));
  CHECK(run("≠¨\",\"•re.Split \",a,,b,\"") == "⟨ 0 1 0 1 0 ⟩");
  CHECK(run("\"\"•re.Split \"abc\"") == "⟨ \"a\" \"b\" \"c\" ⟩");
  CHECK(run("\"b\"•re.Match 5") == "! •re.Match: 𝕩 must be a string (got a number)");
  CHECK(run("•re.Match \"b\"") == "! •re.Match: This needs a left argument");
}

TEST_CASE("empty matches are found once a place, beside others") {
  Host run;
  CHECK(run("\"a*\"•re.FindAll \"baac\"") == "⟨ ⟨ 0 1 3 4 ⟩ ⟨ 0 2 0 0 ⟩ ⟩");
  CHECK(run("\"$\"•re.FindAll \"ab\"") == "⟨ ⟨ 2 ⟩ ⟨ 0 ⟩ ⟩");
  CHECK(run("\"\\b\"•re.FindAll \"ab cd\"") == "⟨ ⟨ 0 2 3 5 ⟩ ⟨ 0 0 0 0 ⟩ ⟩");
}

TEST_CASE("groups have names as those of BQN") {
  Host run;
  CHECK(run("d←\"(?<first_name>\\w+) (?<lastName>\\w+)\"•re.Named \"ada lovelace\" ⋄ d.firstName‿d.last_name") ==
        "⟨ \"ada\" \"lovelace\" ⟩");
  CHECK(run("d←\"(?J)(?<n>a)|(?<n>b)\"•re.Named \"b\" ⋄ d.n") == "\"b\"");
  CHECK(run("\"(?<ab>a)(?<a_b>b)\"•re.Named \"ab\"") == "! •re.Named: The names of two groups are one in BQN (a_b and ab)");
  CHECK(run("\"a\"•re.Named \"a\"").starts_with("! •re.Named: The pattern has no groups with names"));
}

TEST_CASE("a compiled pattern has all functions, and patterns that come again are the same") {
  Host run;
  run.before = "r←•re.Compile \"(?<n>b)\" ⋄ ";
  CHECK(run("⟨r.Match,r.Find,r.Where,r.Groups,r.Split⟩{𝕎𝕩}¨<\"abc\"") == run("⟨1, 1‿1, 2‿2⥊1, \"b\"‿\"b\", \"a\"‿\"c\"⟩"));
  CHECK(run("d←r.Named \"abc\" ⋄ ⟨d.n, r.FindAll \"bab\", r.GroupsAll \"b\", \"x\"r.Replace \"abc\"⟩") ==
        run("⟨\"b\", ⟨0‿2,1‿1⟩, 1‿2⥊⟨\"b\",\"b\"⟩, \"axc\"⟩"));
  // More patterns than are kept, each of which changes what the array held.
  CHECK(run("p←\"a\" ⋄ +´{𝕊: p↩⋈'a'+𝕩 ⋄ p•re.Match \"abcdefghij\"}¨200⥊↕26") == run("+´10>200⥊↕26"));
}

TEST_CASE("an escaped text matches itself alone") {
  Host run;
  CHECK(run("t←@+1+↕300 ⋄ (•re.Escape t)•re.Find \"x\"∾t") == "⟨ 1 300 ⟩");
  CHECK(run("r←{extended⇐1}•re.Compile •re.Escape \"a #b\" ⋄ r.Match \"a #b\"") == "1");
  CHECK(run("•re.Escape \"a.b\"") == "\"a\\.b\"");
}
