#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("an open file is read and written piece by piece") {
  Host run;
  char folder[] = "/tmp/griddle-file-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("d←\"") + folder + "/\" ⋄ ";
  CHECK(run("(d∾\"f\")•FChars \"abcdef\" ⋄ f←•file.Open d∾\"f\" ⋄ a←f.Read 2 ⋄ b←f.Read 3 ⋄ f.Close@ ⋄ a‿b") ==
        "⟨ \"ab\" \"cde\" ⟩");
  CHECK(run("•file.Open d∾\"none\"").find("none") != std::string::npos);
  CHECK(griddle::remove_tree(folder));
}
