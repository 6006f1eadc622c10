#include "runtime/system/data/text_source.h"

#include <doctest/doctest.h>

#include "tests/support/called.h"

using griddle::testing::called;
using griddle::testing::Host;

TEST_CASE("errors say row and column, whatever ends lines") {
  Host run;
  const auto place = [&](std::string_view text) {
    const std::string message = called(run, "•json.Parse", text);
    const std::size_t start = message.rfind(" (row ");
    return start == message.npos ? message : message.substr(start + 2, message.size() - start - 3);
  };
  CHECK(place("x") == "row 1, column 1");
  CHECK(place("[1,\n 2,\n  x]") == "row 3, column 3");
  CHECK(place("[1,\r\n 2,\r\n  x]") == "row 3, column 3");
  CHECK(place("[1,\r 2,\r  x]") == "row 3, column 3");
  // Columns are characters, in any storage.
  CHECK(place("[\"é\",x]") == "row 1, column 6");
  CHECK(place("[\"€\",x]") == "row 1, column 6");
  CHECK(place("[\"😀\",x]") == "row 1, column 6");
}

TEST_CASE("what is unexpected is shown so that one sees it") {
  const auto shown = [](std::string_view text) { return griddle::shown_character(text.data(), text.data() + text.size()); };
  CHECK(shown("") == "the end of the text");
  CHECK(shown("ab") == "a");
  CHECK(shown("€x") == "€");
  CHECK(shown("\n") == "a line end");
  CHECK(shown("\x01") == "character @+1");
}

TEST_CASE("a text is a string, and a file is UTF-8") {
  Host run;
  CHECK(run("•json.Parse 3") == "! •json.Parse: 𝕩 must be a string (got a number)");
  CHECK(run("•csv.Parse ⟨1,2⟩") == "! •csv.Parse: 𝕩 must be a string (got a list of length 2)");
  CHECK(run("f←\"/tmp/griddle text source.json\" ⋄ f•FBytes @+91‿49‿10‿44‿34‿255‿34‿93 ⋄ r←•json.ParseFile⎊{𝕊:•CurrentError@}f ⋄ "
            "•file.Remove f ⋄ r") == "\"•json.ParseFile: This is no UTF-8 (row 2, column 3)\"");
  CHECK(run("f←\"/tmp/griddle text source.json\" ⋄ f•FBytes @+239‿187‿191‿49 ⋄ r←•json.ParseFile f ⋄ •file.Remove f ⋄ r") == "1");
}
