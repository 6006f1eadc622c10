#include "runtime/system/data/csv_writer.h"

#include <doctest/doctest.h>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("columns are written so that they are read again") {
  Host run;
  run.before = "F←•csv.Format ⋄ lf←@+10 ⋄ ";
  CHECK(run("F ⟨1‿2.5,\"a\"‿\"b\"⟩") == "\"1,a\n2.5,b\n\"");
  CHECK(run("F 2‿2⥊⟨\"n\",\"x,y\",¯1‿2,\"ab\"⟩") == "\"n,\"\"x,y\"\"\n-1,a\n2,b\n\"");
  CHECK(run("F ⟨⟨\"a\"\"b\",\"c\"∾lf,\" d\"⟩⟩") == "\"\"\"a\"\"\"\"b\"\"\n\"\"c\n\"\"\n d\n\"");
  CHECK(run("{separator⇐';',crlf⇐1}F ⟨1‿2,3‿4⟩") == "\"1;3\r\n2;4\r\n\"");
  CHECK(run("{missing⇐∞}F ⟨1‿∞,∞‿2⟩") == "\"1,\n,2\n\"");
  CHECK(run("F ⟨⟩") == "⟨⟩");
  // An empty field alone in its row is no empty line.
  CHECK(run("F ⟨⟨\"\",\"a\"⟩⟩") == "\"\"\"\"\"\na\n\"");
  CHECK(run("c←⟨⟨\"\",\"é€😀\",\"a\"\"\"⟩,1‿2‿3,⟨\",\",lf∾\"x\",\"\"⟩⟩ ⋄ c≡•csv.Parse F c") == "1");
}

TEST_CASE("what is no table of columns is refused") {
  Host run;
  run.before = "F←•csv.Format ⋄ ";
  const std::string shape = "! •csv.Format: 𝕩 must be a list of columns, or a table of names over columns (got a ";
  CHECK(run("F 3") == shape + "number)");
  CHECK(run("F 3‿3⥊0").starts_with(shape));
  CHECK(run("F 1‿2").starts_with(shape));
  CHECK(run("F ⟨1‿2,3⟩") == "! •csv.Format: A column must be a list (got a number)");
  CHECK(run("F ⟨1‿2,⟨3⟩⟩") == "! •csv.Format: Columns must have one length (got 2 and 1)");
  CHECK(run("F ⟨1‿∞⟩") == "! •csv.Format: CSV has nothing for ∞");
  CHECK(run("F ⟨⟨1‿2⟩⟩").starts_with("! •csv.Format: A field must be a number, a character or a string"));
  CHECK(run("F 2‿1⥊⟨1,⟨2⟩⟩") == "! •csv.Format: A name must be a string (got a number)");
  CHECK(run("{quote⇐\"\"}F ⟨⟨\",\"⟩⟩").starts_with("! •csv.Format: A field that holds a separator"));
}
