#include "repl/open_brackets.h"

#include <doctest/doctest.h>

using griddle::repl::OpenBrackets;

TEST_CASE("brackets and strings are followed over rows") {
  OpenBrackets brackets;
  CHECK(!brackets.any());
  brackets.add("F←{ # }\n");
  CHECK(brackets.any());
  brackets.add("\n");
  brackets.add("\"}\n");
  brackets.add("}\"\"} \" }\n");
  CHECK(!brackets.any());
  brackets.add("'\"'⟨");
  CHECK(brackets.any());
  brackets.add("⟩");
  CHECK(!brackets.any());
}
