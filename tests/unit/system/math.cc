#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("functions have their values, and are undone") {
  Host run;
  CHECK(run("•math.Sin 0") == "0");
  CHECK(run("•math.Cos 0") == "1");
  CHECK(run("•math.Sin⁼ 0") == "0");
  CHECK(run("12 •math.GCD 18") == "6");
  CHECK(run("4 •math.LCM 6") == "12");
  CHECK(run("•math.Fact 5") == "120");
  CHECK(run("5 •math.Comb 2") == "10");
  CHECK(run("1e¯9>|0.5-˜•math.Sin⁼•math.Sin 0.5") == "1");
}
