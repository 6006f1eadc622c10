#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a subset is in order, few or many of few or many") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ x←500 r.Subset 1e6 ⋄ (x≡∧x)‿(≠⍷x)") == "⟨ 1 500 ⟩");
  CHECK(run("r←•MakeRand 5 ⋄ x←900 r.Subset 1000 ⋄ (x≡∧x)‿(≠⍷x)‿(⌈´x<1000)") == "⟨ 1 900 1 ⟩");
  CHECK(run("r←•MakeRand 5 ⋄ x←50 r.Subset 100 ⋄ (x≡∧x)‿(≠⍷x)") == "⟨ 1 50 ⟩");
  CHECK(run("r←•MakeRand 5 ⋄ x←r.Subset 10000 ⋄ (x≡∧x)∧(|5000-≠x)<500") == "1");
}
