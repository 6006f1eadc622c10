#include "repl/editor/menu.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace griddle::repl;
using Rows = std::vector<std::string>;

TEST_CASE("completions stand in columns, or each with what is said of it") {
  const Completions plain{0, {U"ab", U"漢", U"c"}, {}};
  CHECK(menu_rows(plain, 10, 6) == Rows{"ab  漢", "c"});
  const Completions noted{0, {U"ab", U"c"}, {"function: adds what is long", "number"}};
  CHECK(menu_rows(noted, 20, 6) == Rows{"ab  function: adds", "c   number"});
  CHECK(menu_rows({}, 20, 6).empty());
  // One alone is a line to read.
  CHECK(menu_rows({0, {U"abcd漢ef"}, {}}, 6, 6) == Rows{"abcd", "漢ef"});
}

TEST_CASE("where there is no room for all, the rest is counted") {
  const Completions many{0, {U"a", U"b", U"c", U"d"}, {"1", "2", "3", "4"}};
  CHECK(menu_rows(many, 8, 3) == Rows{"a  1", "b  2", "… 2 more"});
  // Where two fit side by side, they stand so.
  CHECK(menu_rows(many, 13, 3) == Rows{"a  1  b  2", "c  3  d  4"});
  CHECK(menu_rows(many, 20, 4).size() == 4);
}
