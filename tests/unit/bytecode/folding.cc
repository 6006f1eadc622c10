#include "runtime/bytecode/folding.h"

#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("constant expressions are folded") {
  CHECK(compiles_to("1+2×3", "constant r0 7"));
  CHECK(compiles_to("a←2 ⋄ a×21", "constant r0 42"));
  CHECK(!compiles_to("2×1+↕5", "monad"));
  CHECK(!compiles_to("n←5 ⋄ ⌽\"ab\"∾'0'+↕n", "dyad"));
  CHECK(compiles_to("5⊑1+↕5", "pick"));
  CHECK(compiles_to("↕1e6", "monad"));
  CHECK(!compiles_to("+´1‿2‿3", "derive"));
  CHECK(!compiles_to("(+´÷≠)1‿2‿3", "fork"));
}

TEST_CASE("what fails, grows or is no literal is left to the program") {
  CHECK(compiles_to("\"ab\"+\"c\"", "add_constant"));
  CHECK(compiles_to("1‿2+3‿4‿5", "add_constant"));
  CHECK(compiles_to("!0", "require"));
  Machinery m;
  CHECK(m("{𝕊: 1‿2+3‿4‿5}⎊\"later\" 0") == "\"later\"");
}
