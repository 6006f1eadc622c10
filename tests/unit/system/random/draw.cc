#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("what has no weight is never drawn, and others as their weights say") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ x←1e4 r.Draw 0‿1‿0‿3 ⋄ (∧´x∊1‿3)∧0.03>|0.75-(+´x=3)÷≠x") == "1");
  CHECK(run("r←•MakeRand 5 ⋄ r.Draw 0‿0").find("!") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ r.Draw 1‿¯1").find("!") != std::string::npos);
}
