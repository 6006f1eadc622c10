#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("files tell their size and kind, and are renamed and removed") {
  Host run;
  char folder[] = "/tmp/griddle-file-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("d←\"") + folder + "/\" ⋄ ";
  CHECK(run("(d∾\"f\")•FChars \"abc\" ⋄ (•file.Size d∾\"f\")‿(•file.Exists d∾\"f\")") == "⟨ 3 1 ⟩");
  CHECK(run("•file.Type d∾\"f\"") == "'f'");
  CHECK(run("•file.Type d") == "'d'");
  CHECK(run("(d∾\"g\")•file.Rename d∾\"f\" ⋄ (•file.Exists d∾\"f\")‿(•file.Exists d∾\"g\")") == "⟨ 0 1 ⟩");
  CHECK(run("•file.Remove d∾\"g\" ⋄ •file.Exists d∾\"g\"") == "0");
  CHECK(griddle::remove_tree(folder));
}
