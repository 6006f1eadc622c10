#include "runtime/text_width.h"

#include <doctest/doctest.h>

using griddle::columns_of;

TEST_CASE("characters take the columns that Unicode gives them") {
  for (const char32_t c : {U'a', U'é', U'⌽', U'𝕩', U'¯', U'⟨', U'\u00AD'}) CHECK(columns_of(c) == 1);
  for (const char32_t c : {U'漢', U'⚡', U'⌚', U'✅', U'😀', U'\U0001FAE8', U'한', U'！'}) CHECK(columns_of(c) == 2);
  for (const char32_t c : {U'\u0301', U'\u20D7', U'\u200B', U'\u200D', U'\uFE0F', U'\u0E31'}) CHECK(columns_of(c) == 0);
}

TEST_CASE("a text is as wide as its characters, and joined pictures count once") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("a⌽𝕩") == 3);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("漢字ab") == 6);
  CHECK(columns_of("👩\u200D💻x") == 3);
  CHECK(columns_of("👩\u200D❤\uFE0F\u200D👩") == 2);
  CHECK(columns_of("👍🏽👍") == 4);
  CHECK(columns_of("a\u200Db") == 2);
  CHECK(columns_of("\xFF") == 1);
}
