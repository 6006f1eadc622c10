#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("text goes through UTF-8, numbers and source text") {
  Host run;
  CHECK(run("•FromUTF8 •ToUTF8 \"aé𝕩\"") == "\"aé𝕩\"");
  CHECK(run("≠•ToUTF8 \"aé𝕩\"") == "7");
  CHECK(run("•ParseFloat \"1.5e3\"") == "1500");
  CHECK(run("•ParseFloat \"1.5x\"").find("!") != std::string::npos);
  CHECK(run("•BQN •Repr ⟨1,\"a\"\"b\"⟩") == "⟨ 1 \"a\"\"b\" ⟩");
  CHECK(run("•Fmt 1‿2") == "\"⟨ 1 2 ⟩\"");
}
