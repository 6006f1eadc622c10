#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("intervals are moved with or without a device") {
  Host run;
  CHECK(run("x←↕9 ⋄ ⟨2‿3,4‿0⟩ •gpu.Move x") == "⟨ 4 5 0 1 2 ⟩");
  CHECK(run("⟨2‿3⟩ •gpu.Move 10+↕9") == "⟨ 10 11 12 13 14 ⟩");
  CHECK(run("⟨2‿3,8‿0⟩ •gpu.Move ↕9").find("!") != std::string::npos);
  CHECK(run("•gpu.Move 5").find("!") != std::string::npos);
}
