#include "runtime/system/data/csv_options.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("fields stand between any signs that are no part of numbers") {
  Host run;
  CHECK(called(run, "{separator⇐@+9}⊸•csv.Parse", "1\t2,3") == "⟨ ⟨ 1 ⟩ ⟨ \"2,3\" ⟩ ⟩");
  CHECK(called(run, "{separator⇐\";\",quote⇐'''}⊸•csv.Parse", "1;'a;b'") == "⟨ ⟨ 1 ⟩ ⟨ \"a;b\" ⟩ ⟩");
  CHECK(called(run, "{quote⇐\"\"}⊸•csv.Parse", "\"a\"") == "⟨ ⟨ \"\"\"a\"\"\" ⟩ ⟩");
  for (const char* refused : {"'.'", "'1'", "'e'", "'-'", "'+'", "@+10", "@+13", "@", "'é'", "\"ab\"", "3"}) {
    CAPTURE(refused);
    CHECK(run(std::string("{separator⇐") + refused + "}•csv.Parse \"1\"").find("The option separator must be") !=
          std::string::npos);
  }
  CHECK(run("{separator⇐'\"'}•csv.Parse \"1\"") == "! •csv.Parse: The options separator and quote must differ");
}

TEST_CASE("options of •csv that there are not are refused") {
  Host run;
  CHECK(run("{seperator⇐','}•csv.Parse \"1\"") == "! •csv.Parse: There is no option with this name (seperator)");
  CHECK(run("{crlf⇐1}•csv.Parse \"1\"") == "! •csv.Parse: There is no option with this name (crlf)");
  CHECK(run("{header⇐1}•csv.Format ⟨⟩") == "! •csv.Format: There is no option with this name (header)");
  CHECK(run("{types⇐\"nx\"}•csv.Parse \"1\"") == "! •csv.Parse: The option types must consist of a, n, s and - (got \"nx\")");
  CHECK(run("{header⇐2}•csv.Parse \"1\"") == "! •csv.Parse: The option header must be 0 or 1 (got 2)");
}
