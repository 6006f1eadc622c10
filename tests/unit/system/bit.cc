#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("bits are combined at every width, and parts are read as other elements") {
  Host run;
  CHECK(run("100‿1 8•bit._add 100‿1") == "⟨ ¯56 2 ⟩");
  CHECK(run("5‿6 8•bit._and 6‿7") == "⟨ 4 6 ⟩");
  CHECK(run("1•bit._not 1‿0") == "⟨ 0 1 ⟩");
  CHECK(run("⟨1⟩ 8•bit._xor 5‿6") == "⟨ 4 7 ⟩");
  CHECK(run("8 •bit._and 12‿10").find("!") != std::string::npos);
  CHECK(run("⟨8,32⟩•bit._cast 1‿0‿0‿0‿0‿1‿0‿0") == "⟨ 1 256 ⟩");
  CHECK(run("⟨32,8⟩•bit._cast 1‿256") == "⟨ 1 0 0 0 0 1 0 0 ⟩");
  CHECK(run("⟨8,32⟩•bit._cast 1‿2‿3").find("!") != std::string::npos);
}
