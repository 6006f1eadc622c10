#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("products of weights name what is drawn") {
  Host run;
  CHECK(run("r←•MakeRand 5 ⋄ ⟨2‿3⥊0‿1‿0‿1‿1‿0,1‿3⥊1‿1‿0⟩ r.DrawProduct ⟨0‿1‿0,0‿0‿0⟩").find("1") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ 1 r.DrawProduct 2").find("!") != std::string::npos);
  CHECK(run("r←•MakeRand 5 ⋄ ⟨3‿2⥊1,2‿2⟩ r.DrawProduct 0‿0").find("𝕨 must be a list of two tables") != std::string::npos);
}
