#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("few of few are chosen as many are") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ ∧´{𝕊: (↕5)≡∧r.Deal 5}¨↕100") == "1");
  CHECK(run("r←•MakeRand 5 ⋄ x←{𝕊: 2 r.Subset 4}¨↕600 ⋄ ≠⍷x") == "6");
  CHECK(run("r←•MakeRand 5 ⋄ x←{𝕊: r.Deal 3}¨↕600 ⋄ ≠⍷x") == "6");
  CHECK(run("r←•MakeRand 5 ⋄ x←{𝕊: 3 r.Deal 1e6}¨↕50 ⋄ ∧´(3=≠∘⍷)¨x") == "1");
}
