#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("without a device it is said that there is none") {
  Host run;
  CHECK(run("≡•gpu") == "0");
  CHECK(run("•gpu.nothing").find("!") != std::string::npos);
}
