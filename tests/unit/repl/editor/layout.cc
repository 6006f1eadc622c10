#include "repl/editor/layout.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace griddle::repl;

namespace {

std::vector<std::string> rows_of(Layout& layout, bool coloured = false) {
  std::vector<std::string> rows;
  for (std::size_t row = 0; layout.has(row); row++) layout.append_row(row, coloured, rows.emplace_back());
  return rows;
}

std::vector<std::string> rows_of(const std::u32string& text, std::size_t columns) {
  Layout layout;
  layout.update(text, 0, columns, 3);
  return rows_of(layout);
}

}  // namespace

TEST_CASE("rows are broken where they are full, also by wide characters, and tabs are blanks") {
  using Rows = std::vector<std::string>;
  CHECK(rows_of(U"", 8) == Rows{""});
  CHECK(rows_of(U"123456", 8) == Rows{"12345", "6"});
  CHECK(rows_of(U"12345", 8) == Rows{"12345", ""});
  CHECK(rows_of(U"12345\n6", 8) == Rows{"12345", "", "6"});
  CHECK(rows_of(U"1234漢", 8) == Rows{"1234", "漢"});
  CHECK(rows_of(U"12345\u0301", 8) == Rows{"12345\u0301", ""});
  CHECK(rows_of(U"\ta\n\tb", 12) == Rows{" a", " b"});
  CHECK(rows_of(U"a\x01\x9F", 12) == Rows{"a··"});
}

TEST_CASE("places are found in their rows and columns") {
  const std::u32string text = U"漢12345\nab";
  Layout layout;
  layout.update(text, 0, 8, 3);
  CHECK(layout.row_of(0) == 0);
  CHECK(layout.column_of(0, 1) == 5);
  CHECK(layout.row_of(4) == 1);
  CHECK(layout.column_of(1, 4) == 0);
  CHECK(layout.row_of(text.size()) == 2);
  CHECK(layout.column_of(2, text.size()) == 5);
  CHECK(layout.count() == 3);
}

TEST_CASE("after any change rows are as if found from the start") {
  std::mt19937 random(7);
  constexpr std::u32string_view alphabet = U"a1 \"'#\n漢\u0301⌽{Fx\t";
  std::u32string text;
  Layout kept;
  for (int step = 0; step < 3000; step++) {
    const std::size_t place = random() % (text.size() + 1);
    if (random() % 3 == 0)
      text.erase(place, random() % 9);
    else
      text.insert(place, 1 + random() % 6, alphabet[random() % alphabet.size()]);
    kept.update(text, place, 11, 3);
    // Most of the time only a part is looked at.
    if (random() % 4 != 0) {
      kept.row_of(text.size() / 2);
      continue;
    }
    Layout fresh;
    fresh.update(text, 0, 11, 3);
    const std::vector<std::string> now = rows_of(kept), wanted = rows_of(fresh);
    REQUIRE(now == wanted);
  }
}

TEST_CASE("tokens keep their colour in the next row") {
  const std::u32string text = U"\"abcdefgh\"+1";
  Layout layout;
  layout.update(text, 0, 8, 3);
  const std::vector<std::string> rows = rows_of(layout, true);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0] == "\x1b[36m\"abcd\x1b[0m");
  CHECK(rows[1] == "\x1b[36mefgh\"\x1b[32m+\x1b[35m1\x1b[0m");
}
