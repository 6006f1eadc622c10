#include "repl/commands/pager.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "tests/support/redirected.h"

using namespace griddle::repl;
using griddle::testing::Redirected;

TEST_CASE("where nobody looks at a terminal, all is shown") {
  const Redirected output(STDOUT_FILENO, "");
  {
    StandardConsole console;
    page_text(console, [](const TakePiece& take) { take("one\nt") && take("wo\n"); });
  }
  CHECK(output.contents() == "one\ntwo\n");
}
