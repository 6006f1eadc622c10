#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("arguments are refused with the name of the function, of the argument, and what was expected") {
  Host run;
  CHECK(run("•Out 5").find("•Out: ") != std::string::npos);
  CHECK(run("•rand.Range ¯1").find("•rand.Range: ") != std::string::npos);
  CHECK(run("\"a\" •rand.Deal 5").find("𝕨") != std::string::npos);
  CHECK(run("•math.Sin \"a\"").find("•math.Sin") != std::string::npos);
  CHECK(run("•FBytes ⟨1,2⟩").find("•FBytes") != std::string::npos);
  CHECK(run("5 •HashMap 1").find("•HashMap") != std::string::npos);
}
