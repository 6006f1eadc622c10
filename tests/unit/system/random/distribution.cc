#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("numbers have the mean and the deviation that they are asked for") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ x←1e5 r.Uniform 2‿4 ⋄ (0.02>|3-(+´÷≠)x)∧(2≤⌊´x)∧4>⌈´x") == "1");
  CHECK(run("r←•MakeRand 5 ⋄ r.Exponential ¯1").find("!") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ r.Gamma 0").find("!") != std::string::npos);
}
