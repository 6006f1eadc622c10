#include "runtime/system/data/json_writer.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("numbers have as many digits as they need") {
  const auto written = [](double number) {
    char text[griddle::most_number_bytes];
    return std::string(text, griddle::write_decimal(text, number));
  };
  CHECK(written(0) == "0");
  CHECK(written(-0.0) == "-0");
  CHECK(written(100000) == "100000");
  CHECK(written(-12) == "-12");
  CHECK(written(9007199254740991) == "9007199254740991");
  CHECK(written(0.1) == "0.1");
  CHECK(written(1e300) == "1e+300");
  CHECK(written(-1.7976931348623157e308) == "-1.7976931348623157e+308");
  CHECK(written(5e-324) == "5e-324");
}

TEST_CASE("values are written as they are read") {
  Host run;
  run.before = "J←•json.Format ⋄ ";
  for (const char* text : {"1", "-0.5", "null", "\"\"", "[]", "[1,2]", "\"abc\"", "[\"a\",[\"b\"],[[]],null]", "{}",
                           "{\"a\":{\"b\":[1]},\"c\":\"\"}", "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\"", "\"é€😀\"",
                           "\"\\ud83d\"", "[1.5,null]", "[null,null]"}) {
    CAPTURE(text);
    const griddle::Result value = run.bqn.eval("•json.Format•json.Parse")->operator()(run.bqn.text(text));
    REQUIRE(value);
    CHECK(value->text() == text);
  }
  CHECK(run("J ⟨'x',1⟩") == "\"[\"\"x\"\",1]\"");
  CHECK(run("J ⟨<\"true\",<\"false\",<\"null\"⟩") == "\"[true,false,null]\"");
  CHECK(run("J 2‿3⥊↕6") == "\"[[0,1,2],[3,4,5]]\"");
  CHECK(run("J 2‿2‿1⥊\"abcd\"") == "\"[[\"\"a\"\",\"\"b\"\"],[\"\"c\"\",\"\"d\"\"]]\"");
  CHECK(run("J {name⇐\"x\",sizeOf⇐1‿2}") == "\"{\"\"name\"\":\"\"x\"\",\"\"sizeOf\"\":[1,2]}\"");
}

TEST_CASE("an indent makes lines, but for lists of atoms") {
  Host run;
  CHECK(called(run, "{indent⇐2}•json.Format•json.Parse", "{\"a\":[1,2],\"b\":[{},\"x\"]}") ==
        "\"{\n  \"\"a\"\": [1,2],\n  \"\"b\"\": [\n    {},\n    \"\"x\"\"\n  ]\n}\"");
}

TEST_CASE("what JSON has nothing for is refused") {
  Host run;
  run.before = "J←•json.Format ⋄ ";
  CHECK(run("J ∞") == "! •json.Format: JSON has nothing for ∞");
  CHECK(run("J ⟨1,¯∞⟩") == "! •json.Format: JSON has nothing for ¯∞");
  CHECK(run("J ⟨+⟩") == "! •json.Format: JSON has nothing for a function");
  CHECK(run("J <1") == "! •json.Format: JSON has nothing for an enclosed value, but for \"true\", \"false\" and \"null\"");
  CHECK(run("J {⟨⋈⟩⍟𝕩⟨⟩}1e6").substr(0, 2) == "! ");
  CHECK(run("n←{self⇐@ ⋄ Set⇐{self↩𝕩}} ⋄ J n") == "! •json.Format: JSON has nothing for a function");
}
