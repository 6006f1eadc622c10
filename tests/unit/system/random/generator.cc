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

TEST_CASE("long draws, which are made in pieces, are one sequence") {
  Host run;
  // A sum of the numbers by their places, recorded when each draw was made at once.
  const std::string made = "n←300001 ⋄ Sum←{(2⋆31)|+´(1+n|↕≠𝕩)×(2⋆20)|⌊1024×𝕩} ⋄ r←•MakeRand 5 ⋄ ";
  CHECK(run(made + "Sum¨n⊸r.Range¨2‿100‿3e4‿1e9‿(2⋆31)‿(2⋆50)‿0") ==
        "⟨ 2116548608 1828113408 635974656 2014807040 21360640 1172514816 2029088969 ⟩");
  CHECK(run(made + "⟨Sum n r.Uniform 2‿3,Sum ⥊n r.Uniform ⟨↕3,9⟩⟩") == "⟨ 630495806 2008151740 ⟩");
  CHECK(run(made + "⟨Sum n r.Normal 0‿1,Sum n r.Exponential 2⟩") == "⟨ 671429024 152439828 ⟩");
  CHECK(run(made + "⟨Sum n r.Gamma 3,Sum ⥊n r.Gamma 1‿2‿3⟩") == "⟨ 1603816420 319630660 ⟩");
}
