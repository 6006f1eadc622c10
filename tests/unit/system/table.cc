#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a system value is found by any spelling, and each is listed") {
  Host run;
  CHECK(run("•ParseFLOAT \"5\"") == "5");
  CHECK(run("•_parse_float_ \"5\"").find("!") != std::string::npos);
  CHECK(run("•listsys∊˜⋈\"fmt\"") == "⟨ 1 ⟩");
  CHECK(run("•nothing_such").find("Unknown system value") != std::string::npos);
}
