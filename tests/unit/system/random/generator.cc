#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a seeded generator repeats itself, and keeps to its limits") {
  Host run;
  CHECK(run("((•MakeRand 7).Range 100)≡(•MakeRand 7).Range 100") == "1");
  CHECK(run("r←•MakeRand 5 ⋄ x←1000 r.Range 10 ⋄ (⌊´x)‿(⌈´x)‿(≠⍷x)") == "⟨ 0 9 10 ⟩");
  CHECK(run("r←•MakeRand 5 ⋄ ≢2‿3 r.Range 5") == "⟨ 2 3 ⟩");
  CHECK(run("•MakeRand \"a\"").find("!") != std::string::npos);
}
