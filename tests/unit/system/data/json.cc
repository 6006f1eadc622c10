#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("files are parsed as a whole, or line by line") {
  Host run;
  char folder[] = "/tmp/griddle-json-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  run.before = std::string("f←\"") + folder + "/f\" ⋄ lf←@+10 ⋄ ";
  CHECK(run("f•FChars \"[1,2]\" ⋄ •json.ParseFile f") == "⟨ 1 2 ⟩");
  CHECK(run("f•FLines •Fmt¨↕5 ⋄ s←0 ⋄ ⟨•json.EachLine ⟨{s+↩𝕩},f⟩,s⟩") == "⟨ 5 10 ⟩");
  // Lines longer than what is read at once, and many of them.
  CHECK(run("f•FLines ⟨\"1\",'\"'∾(3e6⥊\"é\")∾'\"',\"2\"⟩ ⋄ r←⟨⟩ ⋄ ⟨•json.EachLine ⟨{r∾↩⟨≠⥊𝕩⟩},f⟩,r⟩") ==
        "⟨ 3 ⟨ 1 3000000 1 ⟩ ⟩");
  CHECK(run("f•FLines 4e5⥊\"[1]\"‿\"[1,2]\" ⋄ s←0 ⋄ ⟨•json.EachLine ⟨{s+↩≠𝕩},f⟩,s⟩") == "⟨ 400000 600000 ⟩");
  CHECK(run("f•FLines (3e5⥊⟨\"[1]\"⟩)∾⟨\"[1,\"⟩ ⋄ @") == "@");
  CHECK(run("•json.EachLine ⟨⊢,f⟩").find("(row 300002, column 1)") != std::string::npos);
  // The function's error ends it.
  CHECK(run("f•FLines \"1\"‿\"2\" ⋄ •json.EachLine ⟨{\"no\"!𝕩<2},f⟩") == "! no");
  CHECK(run("•json.EachLine f") == "! •json.EachLine: 𝕩 must be a function and the name of a file");
  CHECK(run("{true⇐7}•json.ParseFile f∾\"none\"").find("none") != std::string::npos);
  CHECK(griddle::remove_tree(folder));
}

TEST_CASE("text may be parsed where files may not be read") {
  griddle::Options options;
  options.capabilities = 0;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•json.Parse \"[1]\"") == "⟨ 1 ⟩");
  CHECK(run("•json.Format 1") == "\"1\"");
  CHECK(run("•json.ParseFile \"/etc/passwd\"") == "! •json.ParseFile: This is not permitted in safe mode");
  CHECK(run("•json.EachLine ⟨⊢,\"/etc/passwd\"⟩") == "! •json.EachLine: This is not permitted in safe mode");
}
