#include "repl/server/positions.h"

#include <doctest/doctest.h>

using namespace griddle::repl;

TEST_CASE("places are counted in code units of UTF-16, or bytes, within their lines") {
  const std::string text = "aé𝕩b\r\n\nc\rd";
  const Positions lines(text);
  CHECK(lines.lines() == 4);
  CHECK(lines.line(text, 0) == "aé𝕩b");
  CHECK(lines.line(text, 1).empty());
  CHECK(lines.line(text, 3) == "d");
  CHECK(lines.position_of(text, 7, CodeUnits::utf16) == Position{0, 4});
  CHECK(lines.position_of(text, 7, CodeUnits::utf8) == Position{0, 7});
  CHECK(lines.position_of(text, 13, CodeUnits::utf16) == Position{3, 0});
  CHECK(lines.position_of(text, 999, CodeUnits::utf16) == Position{3, 1});
  for (const CodeUnits units : {CodeUnits::utf8, CodeUnits::utf16})
    for (const std::size_t byte : {0, 1, 3, 7, 8, 10, 11, 13, 14})
      CHECK(lines.byte_of(text, lines.position_of(text, byte, units), units) == byte);
}

TEST_CASE("places beyond a line, or within a code point, are the nearest before them") {
  const std::string text = "a𝕩\nb";
  const Positions lines(text);
  CHECK(lines.byte_of(text, {0, 2}, CodeUnits::utf16) == 1);
  CHECK(lines.byte_of(text, {0, 3}, CodeUnits::utf16) == 5);
  CHECK(lines.byte_of(text, {0, 99}, CodeUnits::utf16) == 5);
  CHECK(lines.byte_of(text, {0, 3}, CodeUnits::utf8) == 1);
  CHECK(lines.byte_of(text, {9, 0}, CodeUnits::utf8) == 7);
  CHECK(Positions("").byte_of("", {0, 5}, CodeUnits::utf16) == 0);
}
