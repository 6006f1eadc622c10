#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("files of rows become columns") {
  Host run;
  char folder[] = "/tmp/griddle-csv-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("f←\"") + folder + "/f\" ⋄ ";
  CHECK(run("f•FLines ⟨\"a,b\",\"1,2\",\"3,4\"⟩ ⋄ {header⇐1}•csv.ParseFile f") == run("2‿2⥊⟨\"a\",\"b\",1‿3,2‿4⟩"));
  CHECK(run("n←2e4 ⋄ f•FChars •csv.Format c←⟨↕n,÷1+↕n,•Fmt¨'x'+10|↕n⟩ ⋄ c≡•csv.ParseFile f") == "1");
  CHECK(run("•csv.ParseFile f∾\"none\"").find("none") != std::string::npos);
  CHECK(griddle::remove_tree(folder));
}

TEST_CASE("rows may be parsed where files may not be read") {
  griddle::Options options;
  options.capabilities = 0;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•csv.Parse \"1,2\"") == "⟨ ⟨ 1 ⟩ ⟨ 2 ⟩ ⟩");
  CHECK(run("•csv.ParseFile \"/etc/passwd\"") == "! •csv.ParseFile: This is not permitted in safe mode");
}
