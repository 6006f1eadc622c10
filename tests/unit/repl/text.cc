#include "repl/text.h"

#include <doctest/doctest.h>

using namespace griddle::repl;

TEST_CASE("invalid bytes become replacement characters, and text comes back as it was") {
  CHECK(utf8_of(code_points_of("aé∾𝕩")) == "aé∾𝕩");
  CHECK(code_points_of("a\xFF\xC3") == U"a\uFFFD\uFFFD");
  // Longer forms than are needed, and what is beyond the last code point.
  CHECK(code_points_of("\xE0\x80\x80") == U"\uFFFD\uFFFD\uFFFD");
  CHECK(code_points_of("\xF0\x80\x80\x80") == U"\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(code_points_of("\xF4\x90\x80\x80") == U"\uFFFD\uFFFD\uFFFD\uFFFD");
  CHECK(code_points_of("\xF4\x8F\xBF\xBF") == U"\U0010FFFF");
  CHECK(columns_of(U'漢') == 2);
  CHECK(columns_of(0x301) == 0);
  CHECK(columns_of(U'𝕩') == 1);
}
