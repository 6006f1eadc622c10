#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a weight that is none is named by its place") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ r.Draw 1‿2‿¯3").find("2") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ r.Draw \"ab\"").find("!") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ r.Draw 1‿∞").find("!") != std::string::npos);
}
