#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a loop goes on while its condition holds, and an error is known while it is handled") {
  Host run;
  CHECK(run("{𝕩×2}•_while_{𝕩<100}1") == "128");
  CHECK(run("{𝕊:!\"why\"}⎊{𝕊:•CurrentError @} 0") == "\"why\"");
  CHECK(run("•CurrentError @").find("!") != std::string::npos);
  CHECK(run("{𝕩}•_while_{𝕩:2}1").find("!") != std::string::npos);
}
