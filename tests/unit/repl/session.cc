#include "repl/session.h"

#include <doctest/doctest.h>

using griddle::repl::is_unfinished;

TEST_CASE("open lists, blocks and strings ask for another line") {
  CHECK(is_unfinished("{"));
  CHECK(is_unfinished("⟨1,"));
  CHECK(is_unfinished("a←\"text"));
  CHECK(!is_unfinished("⟨1,2⟩"));
  CHECK(!is_unfinished("\"a\"\"b\""));
  CHECK(!is_unfinished("'{' # {"));
  CHECK(!is_unfinished("'⟨'∾'\"'"));
  CHECK(is_unfinished("# }\n{"));
  CHECK(!is_unfinished("(1+"));
}
