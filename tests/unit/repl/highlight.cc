#include "repl/highlight.h"

#include <doctest/doctest.h>

#include <string_view>

using namespace griddle::repl;

TEST_CASE("text is coloured by role") {
  const auto first = [](std::u32string_view text) { return colours_of(text)[0]; };
  CHECK(first(U"+") == Colour::function);
  CHECK(first(U"•Show") == Colour::function);
  CHECK(first(U"•_timed") == Colour::modifier1);
  CHECK(first(U"_x_") == Colour::modifier2);
  CHECK(first(U"¯1.5") == Colour::number);
  CHECK(first(U"name") == Colour::plain);
  CHECK(first(U"'#'") == Colour::text);
  CHECK(colours_of(U"\"a#\"#b")[4] == Colour::comment);
  CHECK(colours_of(U"1.5+")[1] == Colour::number);
}
