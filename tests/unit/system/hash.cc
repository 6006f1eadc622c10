#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("equal values hash alike however they are stored, others do not") {
  Host run;
  CHECK(run("(•Hash ↕5)≡•Hash ¯1↓(↕5)∾0.5") == "1");
  CHECK(run("(•Hash 0)≡•Hash ¯0") == "1");
  CHECK(run("(•Hash \"ab\")≡•Hash ¯1↓\"ab\"∾0") == "1");
  CHECK(run("(•Hash 1‿2)≡•Hash 2‿1") == "0");
  CHECK(run("(•Hash ⥊0)≡•Hash 1‿1⥊0") == "0");
  CHECK(run("(5•Hash 1)≡6•Hash 1") == "0");
  CHECK(run("≠⍷•Hash¨↕10000") == "10000");
}
