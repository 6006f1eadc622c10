#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a program knows where it stands") {
  Host run;
  CHECK(run("≡•wdpath") == "1");
  CHECK(run("•args") == "⟨⟩");
}
