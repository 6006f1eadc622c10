#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a file that is not there cannot be imported") {
  Host run;
  CHECK(run("•Import \"/no/such/file.bqn\"").find("/no/such/file.bqn") != std::string::npos);
}
