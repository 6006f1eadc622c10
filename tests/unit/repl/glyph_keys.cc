#include "repl/glyph_keys.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/typing.h"

using namespace griddle::testing;

TEST_CASE("each glyph knows its key") {
  using griddle::repl::key_of_glyph;
  CHECK(key_of_glyph(U'⍷') == U'E');
  CHECK(key_of_glyph(U'˜') == U'`');
  CHECK(key_of_glyph(U'‿') == U' ');
  CHECK(key_of_glyph(U'+') == 0);
  CHECK(key_of_glyph(U' ') == 0);
}

TEST_CASE("a backslash and a key type a glyph") {
  CHECK(typed("\\+\\5\\d9") == "⋆´↕9|");
  CHECK(typed("\\x\\ \\\\a\\\\") == "𝕩‿\\a\\|");
  CHECK(typed("\\y") == "\\y|");
  CHECK(typed("\\\x1b[Dx") == "x|\\");
  CHECK(glyph_of_key(U'7') == 0);
  CHECK(glyph_keyboard().find("⌽  𝕨  ∊") != std::string::npos);
}
