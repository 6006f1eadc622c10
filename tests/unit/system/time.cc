#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("time goes forward, and limits must be numbers") {
  Host run;
  CHECK(run("t←•MonoTime@ ⋄ t≤•MonoTime@") == "1");
  CHECK(run("0≤{𝕩+1}•_timed 1") == "1");
  CHECK(run("1e9<•UnixTime@") == "1");
  CHECK(run("{𝕩+1}•_maxTime_\"a\" 1").find("!") != std::string::npos);
  CHECK(run("{𝕩+1}•_maxTime_(5)1") == "2");
}
