#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("storage forms are shown") {
  Host run;
  CHECK(run("•internal.Type 5+↕5") == "\"i8arr\"");
  CHECK(run("•internal.Type 2|↕5") == "\"bitarr\"");
  CHECK(run("•internal.Type \"a\"") == "\"c8arr\"");
}
