#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/files.h"
#include "tests/support/host.h"
#include "tests/support/temporary_folder.h"

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

TEST_CASE("large files of numbers are as their text says, whatever else comes up in them") {
  Host run;
  const griddle::testing::TemporaryFolder folder;
  const std::string path = folder.at("f");
  // More than are read in pieces, with rows of different lengths.
  constexpr int rows = 700'000;
  std::string numbers;
  for (int i = 0; i < rows; i++) numbers += std::to_string(i) + (i % 3 == 0 ? ",0.5\n" : ",-7\r\n");
  REQUIRE(numbers.size() > std::size_t{5} << 20);
  const std::size_t late = numbers.find("690000,");
  const auto with = [&](const std::string& row) { return numbers.substr(0, late) + row + "\n" + numbers.substr(late); };
  const auto both = [&](const std::string& text, const std::string& options) {
    folder.write("f", text);
    return std::pair(run("o←" + options + " ⋄ r←{o•csv.ParseFile 𝕩}⎊{𝕊: •CurrentError@}\"" + path +
                         "\" ⋄ p←{o•csv.Parse •FChars 𝕩}⎊{𝕊: •CurrentError@}\"" + path + "\" ⋄ r≡p"),
                     run("r←{" + options + "•csv.ParseFile 𝕩}⎊{𝕊: •CurrentError@}\"" + path + "\" ⋄ ≠¨r"));
  };
  const std::string plain = "{header⇐0}", all = "⟨ " + std::to_string(rows) + " " + std::to_string(rows) + " ⟩";
  const std::string one_more = "⟨ " + std::to_string(rows + 1) + " " + std::to_string(rows + 1) + " ⟩";
  CHECK(both(numbers, plain) == std::pair<std::string, std::string>("1", all));
  CHECK(both(numbers + "1,2", plain) == std::pair<std::string, std::string>("1", one_more));
  CHECK(both(numbers + "\n\n", plain) == std::pair<std::string, std::string>("1", all));
  CHECK(both("\n" + numbers, plain) == std::pair<std::string, std::string>("1", all));
  CHECK(both("\"1\",2\n" + numbers, plain) == std::pair<std::string, std::string>("1", one_more));
  for (const char* row : {"x,1", "1,\"a\nb\"", " 1 ,2", "\"3\",4", "1,é"})
    CHECK(both(with(row), plain) == std::pair<std::string, std::string>("1", one_more));
  CHECK(both("a,\"b, é\"\n" + numbers, "{header⇐1}").first == "1");
  CHECK(run("⊏{header⇐1}•csv.ParseFile \"" + path + "\"") == "⟨ \"a\" \"b, é\" ⟩");
  CHECK(run("+´¨1⊏{header⇐1}•csv.ParseFile \"" + path + "\"") == run("r←↕7e5 ⋄ ⟨+´r,+´(0=3|r)⊑¨<¯7‿0.5⟩"));
  for (const char* types : {"{types⇐\"nn\"}", "{types⇐\"ns\"}", "{types⇐\"-n\"}", "{ragged⇐1}"})
    CHECK(both(numbers, types).first == "1");
  // Places of errors count from the beginning of the file.
  folder.write("f", with("1,2,3"));
  CHECK(run("•csv.ParseFile \"" + path + "\"").find("(row 690001, column 1)") != std::string::npos);
  folder.write("f", with("1,\xFF"));
  CHECK(run("•csv.ParseFile \"" + path + "\"").find("This is no UTF-8 (row 690001, column 3)") != std::string::npos);
  folder.write("f", "\xEF\xBB\xBF" + numbers);
  CHECK(run("≠¨•csv.ParseFile \"" + path + "\"") == all);
}

TEST_CASE("rows may be parsed where files may not be read") {
  griddle::Options options;
  options.capabilities = 0;
  Host run{griddle::Interpreter(options)};
  CHECK(run("•csv.Parse \"1,2\"") == "⟨ ⟨ 1 ⟩ ⟨ 2 ⟩ ⟩");
  CHECK(run("•csv.ParseFile \"/etc/passwd\"") == "! •csv.ParseFile: This is not permitted in safe mode");
}
