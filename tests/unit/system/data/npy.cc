#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("files of arrays and archives are told apart by their beginnings") {
  Host run;
  char folder[] = "/tmp/griddle-npy-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("f←\"") + folder + "/f\" ⋄ ";
  CHECK(run("f •FBytes •npy.Format a←300‿40⥊÷1+↕12000 ⋄ a≡•npy.ParseFile f") == "1");
  CHECK(run("f •FBytes •npy.Format {a⇐↕3} ⋄ •npy.ParseFile f") == run("2‿1⥊⟨\"a\",↕3⟩"));
  CHECK(run("f •FBytes \"\" ⋄ •npy.ParseFile f") == "! •npy.ParseFile: This is no file of NumPy, or its beginning alone");
  CHECK(run("•npy.ParseFile f∾\"none\"").find("none") != std::string::npos);
  CHECK(run("•npy.ParseFile \"/tmp\"").starts_with("! •npy.ParseFile: Cannot read the file"));
  CHECK(griddle::remove_tree(folder));
}

TEST_CASE("a table is an archive where strings stand over what is not strings alone") {
  Host run;
  CHECK(run("≢•npy.Parse•npy.Format 2‿2⥊\"a\"‿\"b\"‿\"cd\"‿\"e\"") == "⟨ 2 2 ⟩");
  CHECK(run("⊏•npy.Parse•npy.Format 2‿2⥊\"a\"‿\"b\"‿\"cd\"‿(↕2)") == "⟨ \"a\" \"b\" ⟩");
}

TEST_CASE("bytes may be parsed where files may not be read") {
  griddle::Options options;
  options.capabilities = 0;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•npy.Parse•npy.Format 1‿2") == "⟨ 1 2 ⟩");
  CHECK(run("•npy.ParseFile \"/etc/passwd\"") == "! •npy.ParseFile: This is not permitted in safe mode");
}
