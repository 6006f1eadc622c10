#include "runtime/system/data/json_options.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("words stand for what the options say, in both directions") {
  Host run;
  run.before = "o←{true⇐\"yes\",false⇐'n',null⇐⟨⟩} ⋄ ";
  CHECK(called(run, "o⊸•json.Parse", "[true,false,null]") == "⟨ \"yes\" 'n' ⟨⟩ ⟩");
  CHECK(run("o•json.Format ⟨\"yes\",'n',⟨⟩,1⟩") == "\"[true,false,null,1]\"");
}

TEST_CASE("options that there are not, and values that they do not take, are refused") {
  Host run;
  CHECK(run("{tru⇐1}•json.Parse \"1\"") == "! •json.Parse: There is no option with this name (tru)");
  CHECK(run("{indent⇐1}•json.Parse \"1\"") == "! •json.Parse: There is no option with this name (indent)");
  CHECK(run("{large⇐\"text\"}•json.Format 1") == "! •json.Format: There is no option with this name (large)");
  CHECK(run("{large⇐\"big\"}•json.Parse \"1\"") ==
        "! •json.Parse: The option large must be \"round\", \"text\" or \"error\" (got \"big\")");
  CHECK(run("{indent⇐17}•json.Format 1") == "! •json.Format: The option indent must be at most 16 (got 17)");
  CHECK(run("3•json.Parse \"1\"") == "! •json.Parse: 𝕨 must be a namespace (got a number)");
}
