#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("files are written, read and listed") {
  Host run;
  char folder[] = "/tmp/griddle-file-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("d←\"") + folder + "/\" ⋄ ";
  CHECK(run("(d∾\"f\")•FChars \"aéb\" ⋄ •FChars d∾\"f\"") == "\"aéb\"");
  CHECK(run("≠•FBytes d∾\"f\"") == "4");
  CHECK(run("(d∾\"g\")•FLines \"x\"‿\"yz\" ⋄ •FLines d∾\"g\"") == "⟨ \"x\" \"yz\" ⟩");
  CHECK(run("∧•file.List d") == "⟨ \"f\" \"g\" ⟩");
  CHECK(run("•FChars d∾\"none\"").find("none") != std::string::npos);
  CHECK(griddle::remove_tree(folder));
}
