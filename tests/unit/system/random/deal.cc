#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a deal has each number once, in some order, few or many of few or many") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ (↕1000)≡∧r.Deal 1000") == "1");
  CHECK(run("r←•MakeRand 5 ⋄ x←500 r.Deal 1e6 ⋄ (≠⍷x)‿(∧´x<1e6)") == "⟨ 500 1 ⟩");
  CHECK(run("r←•MakeRand 5 ⋄ x←20 r.Deal 1e9 ⋄ ≠⍷x") == "20");
  CHECK(run("r←•MakeRand 5 ⋄ x←300 r.Deal 301 ⋄ ≠⍷x") == "300");
  CHECK(run("r←•MakeRand 5 ⋄ x←200000 r.Deal 200000 ⋄ (↕200000)≡∧x") == "1");
}
