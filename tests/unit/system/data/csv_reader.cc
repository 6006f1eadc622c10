#include "runtime/system/data/csv_reader.h"

#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

namespace {

// Gives the columns of a text, as •Repr has them, or an error; with options, as a program spells them.
std::string columns_of(Host& run, std::string_view text, const std::string& options = "{header⇐0}") {
  const std::string shown = called(run, "•Repr " + options + "⊸•csv.Parse", text);
  return shown.starts_with('"') ? shown.substr(1, shown.size() - 2) : shown;
}

}  // namespace

TEST_CASE("columns are numbers where all their fields are") {
  Host run;
  CHECK(columns_of(run, "1,2.5\n-3,4e2") == "⟨1‿¯3,2.5‿400⟩");
  CHECK(columns_of(run, " 1 ,\t2\n3,+4.\n") == "⟨1‿3,2‿4⟩");
  CHECK(columns_of(run, "\"1\",2\n3,\"4\"") == "⟨1‿3,2‿4⟩");
  CHECK(columns_of(run, "1,a\n2,b") == "⟨1‿2,⟨\"\"a\"\",\"\"b\"\"⟩⟩");
  CHECK(called(run, "{•internal.Type⊑•csv.Parse 𝕩}", "1\n0\n1\n") == "\"bitarr\"");
  CHECK(called(run, "{•internal.Type⊑•csv.Parse 𝕩}", "1\n300\n") == "\"i16arr\"");
  // Zeros before digits, and nothing, are no numbers.
  CHECK(columns_of(run, "1\n007\n") == "⟨⟨\"\"1\"\",\"\"007\"\"⟩⟩");
  CHECK(columns_of(run, "1,2\n3,\n") == "⟨1‿3,⟨\"\"2\"\",⟨⟩⟩⟩");
}

TEST_CASE("columns that turn out to be text keep what their fields said, wherever that shows") {
  Host run;
  // Each of three columns has its first text in another row, or none.
  for (int first = 0; first < 5; first++) {
    for (int second = 0; second < 5; second++) {
      std::string text;
      for (int row = 0; row < 4; row++) {
        const std::string a = row == first ? "x" : "1.50", b = row == second ? "\"y\n\"\"\"" : "2e0";
        text += a + ",7," + b + (row % 2 == 0 ? "\r\n" : "\n\n");
      }
      CAPTURE(text);
      const griddle::Result result = run.bqn.eval("{c←•csv.Parse 𝕩 ⋄ ⟨1⊑c,≠¨⥊¨⊑c,≠¨⥊¨2⊑c⟩}")->operator()(run.bqn.text(text));
      REQUIRE(result);
      std::string wanted = "⟨ ⟨ 7 7 7 7 ⟩";
      for (const auto& [at, length, odd] : {std::tuple(first, 4, 1), std::tuple(second, 3, 3)}) {
        wanted += " ⟨";
        for (int row = 0; row < 4; row++) wanted += " " + std::to_string(at == 4 ? 1 : row == at ? odd : length);
        wanted += " ⟩";
      }
      CHECK(result->format() == wanted + " ⟩");
    }
  }
}

TEST_CASE("rows of numbers are told from others, wherever these stand among many") {
  Host run;
  // More numbers than wait together, whatever the width.
  for (const std::size_t width : {1, 2, 3, 7}) {
    const std::size_t rows = 9000 / width;
    const auto filled = [&](const std::string& first) {
      std::string row = first;
      for (std::size_t k = 1; k < width; k++) row += ",0";
      return row;
    };
    // All rows count up, but one.
    const auto text_with = [&](std::size_t at, const std::string& row) {
      std::string text;
      for (std::size_t i = 0; i < rows; i++) {
        for (std::size_t k = 0; i != at && k < width; k++) text += (k == 0 ? "" : ",") + std::to_string(i * width + k);
        text += (i == at ? row : "") + (i % 5 == 0 ? "\r\n" : "\n");
      }
      return text;
    };
    const std::string lengths = std::to_string(rows) + "‿" + std::to_string(width);
    for (const std::size_t at : {std::size_t{1}, 2048 / width - 1, 2048 / width, rows - 1}) {
      CAPTURE(width);
      CAPTURE(at);
      const std::string place = std::to_string(at), last = std::to_string(width - 1);
      const auto is_read_as = [&](const std::string& field, const std::string& number) {
        const std::string program =
            "{(•csv.Parse 𝕩)≡<˘⍉(" + number + "∾" + last + "⥊0)⌾(" + place + "⊸⊏)" + lengths + "⥊↕×´" + lengths + "}";
        return called(run, program, text_with(at, filled(field))) == "1";
      };
      CHECK(is_read_as("5", "5"));
      CHECK(is_read_as("-0.25", "¯0.25"));
      CHECK(is_read_as("0.1234567890123456789", "0.1234567890123456789"));
      CHECK(is_read_as(" 7 ", "7"));
      CHECK(is_read_as("\"8\"", "8"));
      CHECK(is_read_as("1e3", "1000"));
      CHECK(is_read_as("\r\n\n9", "9"));
      const std::string with_text = text_with(at, filled("text"));
      CHECK(called(run, "{⟨" + place + "⊑⊑𝕩,⊑⊑𝕩,≠¨𝕩⟩}•csv.Parse", with_text)
                .starts_with("⟨ \"text\" \"0\" ⟨ " + std::to_string(rows)));
      const std::string fields = std::to_string(width + 1) + " fields, but the first one has " + std::to_string(width);
      CHECK(called(run, "•csv.Parse", text_with(at, filled("1") + ",2"))
                .starts_with("! •csv.Parse: This row has " + fields + " (row " + std::to_string(at + 1)));
    }
  }
}

TEST_CASE("quotes hold separators, line ends and quotes") {
  Host run;
  CHECK(called(run, "{@-˜⊑⊑•csv.Parse 𝕩}", "\"a,b\n\"\"c\"\"\"\n") == "⟨ 97 44 98 10 34 99 34 ⟩");
  CHECK(called(run, "•csv.Parse", "\"\"\"\"") == "⟨ ⟨ \"\"\"\" ⟩ ⟩");
  CHECK(called(run, "•csv.Parse", "\"\"\"a\"") == "⟨ ⟨ \"\"\"a\" ⟩ ⟩");
  CHECK(called(run, "•csv.Parse", "5\" pipe") == "⟨ ⟨ \"5\"\" pipe\" ⟩ ⟩");
  CHECK(called(run, "{≠⊑⊑•csv.Parse 𝕩}", "\"\"") == "0");
  CHECK(called(run, "•csv.Parse", "1,\"a\n") == "! •csv.Parse: This quote is not closed (row 1, column 3)");
  CHECK(called(run, "•csv.Parse", "1,\"a\"\"") == "! •csv.Parse: This quote is not closed (row 1, column 3)");
  CHECK(called(run, "•csv.Parse", "1\n\"a\"b") ==
        "! •csv.Parse: Expected the end of the field after its quote, but got b (row 2, column 4)");
}

TEST_CASE("fields of every length end where they should") {
  Host run;
  for (std::size_t length = 0; length < 24; length++) {
    const std::string plain(length, 'x');
    CAPTURE(length);
    for (const char* end : {",", "\n", "\r", "\r\n"}) {
      CHECK(called(run, "{≠⊑⊑•csv.Parse 𝕩}", "y" + plain + end + "z") == std::to_string(length + 1));
      CHECK(called(run, "{≠⊑⊑•csv.Parse 𝕩}", "é" + plain + end + "z") == std::to_string(length + 1));
    }
  }
}

TEST_CASE("rows have one length, unless they need not") {
  Host run;
  CHECK(columns_of(run, "") == "⟨⟩");
  CHECK(columns_of(run, "\n\r\n\r") == "⟨⟩");
  CHECK(columns_of(run, "1,2\n3\n") == "! •csv.Parse: This row has 1 field, but the first one has 2 (row 2, column 1)");
  CHECK(columns_of(run, "1,2\n\n3,4,5\n") == "! •csv.Parse: This row has 3 fields, but the first one has 2 (row 3, column 1)");
  CHECK(columns_of(run, "1,2\n3\n4,5,6", "{ragged⇐1,missing⇐¯1}") == "⟨1‿3‿4,2‿¯1‿5,¯1‿¯1‿6⟩");
  CHECK(columns_of(run, "1,2\n3\n4,,6", "{ragged⇐1}") == "⟨1‿3‿4,⟨\"\"2\"\",⟨⟩,⟨⟩⟩,⟨⟨⟩,⟨⟩,\"\"6\"\"⟩⟩");
  CHECK(columns_of(run, "1\n2,3\nx,y", "{ragged⇐1,missing⇐0}") == "⟨⟨\"\"1\"\",\"\"2\"\",\"\"x\"\"⟩,⟨⟨⟩,\"\"3\"\",\"\"y\"\"⟩⟩");
}

TEST_CASE("a header gives names over columns") {
  Host run;
  CHECK(columns_of(run, "a,b\n1,x\n", "{header⇐1}") == "(2‿2⥊⟨\"\"a\"\",\"\"b\"\",⟨1⟩,⟨\"\"x\"\"⟩⟩)");
  CHECK(called(run, "≢{header⇐1}⊸•csv.Parse", "a,b\n") == "⟨ 2 2 ⟩");
  CHECK(called(run, "≢{header⇐1}⊸•csv.Parse", "") == "⟨ 2 0 ⟩");
  CHECK(called(run, "{header⇐1}⊸•csv.Parse", "a,b\n1\n") ==
        "! •csv.Parse: This row has 1 field, but the first one has 2 (row 2, column 1)");
  CHECK(called(run, "⊏{header⇐1,ragged⇐1}⊸•csv.Parse", "a\n1,2\n") == "⟨ \"a\" ⟨⟩ ⟩");
}

TEST_CASE("types say what columns are") {
  Host run;
  CHECK(columns_of(run, "1,007,x,2\n3,8,,4\n", "{types⇐\"sn-a\"}") == "⟨⟨\"\"1\"\",\"\"3\"\"⟩,7‿8,2‿4⟩");
  CHECK(columns_of(run, "1,b", "{types⇐\"nn\"}") == "! •csv.Parse: This field must be a number (got \"b\") (row 1, column 3)");
  CHECK(columns_of(run, "1,2", "{types⇐\"n\"}") ==
        "! •csv.Parse: This row has 2 fields, but the option types has 1 (row 1, column 1)");
  CHECK(columns_of(run, "a,b\n1,2", "{types⇐\"-n\",header⇐1}") == "(2‿1⥊⟨\"\"b\"\",⟨2⟩⟩)");
  CHECK(columns_of(run, "1,2\n3", "{types⇐\"nn\",ragged⇐1}").find("A number is missing") != std::string::npos);
}
