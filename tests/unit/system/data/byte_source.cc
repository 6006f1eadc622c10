#include "runtime/system/data/byte_source.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("a file that has become shorter while it is read is an error") {
  Host run;
  char folder[] = "/tmp/griddle-bytes-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("f←\"") + folder + "/f\" ⋄ ";
  CHECK(run("f •FBytes •npy.Format ↕1000 ⋄ (↕1000)≡•npy.ParseFile f") == "1");
  CHECK(run("f •FBytes ¯1↓•npy.Format ↕1000 ⋄ •npy.ParseFile f") ==
        "! •npy.ParseFile: There are fewer elements than the shape ⟨1000⟩ has");
  CHECK(griddle::remove_tree(folder));
}
