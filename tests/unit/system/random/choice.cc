#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("more than there is cannot be chosen") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ 6 r.Deal 5").find("𝕨 must be at most 𝕩") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ 6 r.Subset 5").find("𝕨 must be at most 𝕩") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ 0 r.Deal 5") == "⟨⟩");
}
