#include "runtime/plot/font.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

using namespace griddle::plot;

TEST_CASE("each character of ASCII has a picture of its own") {
  std::set<std::vector<int>> pictures;
  for (char32_t c = U' '; c < 127; c++) {
    const std::uint8_t* rows = glyph_rows(c);
    for (int row = 0; row < font_height; row++) CHECK(rows[row] < 1 << font_width);
    pictures.insert(std::vector<int>(rows, rows + font_height));
  }
  CHECK(pictures.size() == 95);
  CHECK(glyph_rows(U'é') == glyph_rows(U'𝕩'));
  CHECK(glyph_rows(U'¯') != glyph_rows(U'é'));
  CHECK(glyph_rows(U'T')[0] == 0b11111);
}
