#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("text that is no UTF-8 is refused, and bytes are whatever they are") {
  Host run;
  char folder[] = "/tmp/griddle-file-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("d←\"") + folder + "/\" ⋄ ";
  CHECK(run("(d∾\"f\")•FBytes @+255‿0‿200 ⋄ (•FBytes d∾\"f\")-@") == "⟨ 255 0 200 ⟩");
  CHECK(run("•FChars d∾\"f\"").find("UTF-8") != std::string::npos);
  CHECK(run("(d∾\"h\")•FChars 1‿2").find("!") != std::string::npos);
  CHECK(griddle::remove_tree(folder));
}
