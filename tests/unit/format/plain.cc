#include "runtime/format/plain.h"

#include <doctest/doctest.h>

#include "tests/support/shown.h"

using namespace griddle;
using namespace griddle::testing;

namespace {

std::string plain(Shown& show, const Value& v, const TextStyles& styles = {}, const TextRoom& room = {}) {
  bool whole = true;
  return std::string(plain_text(show.cx, v, room, styles, whole));
}

}  // namespace

TEST_CASE("columns stand two blanks apart, text to the left and numbers on their points") {
  Shown show;
  const Value table = show.shaped({3, 2}, show.list({show.text("a"), 1.5, show.text("long"), 22, show.text("é"), -0.25}));
  CHECK(plain(show, table) == "a      1.5\nlong  22\né     ¯0.25");
  TextStyle two;
  two.decimals = 2;
  CHECK(plain(show, table, {two, {}}) == "a      1.50\nlong  22.00\né     ¯0.25");
}

TEST_CASE("styles of columns come before that of all") {
  Shown show;
  const Value table = show.shaped({2, 2}, show.list({show.text("name"), show.text("price"), show.text("x"), 3.14159}));
  TextStyle right, center;
  right.align = TextAlign::right;
  right.decimals = 2;
  center.align = TextAlign::center;
  center.width = 6;
  const TextStyle columns[] = {center, right};
  CHECK(plain(show, table, {{}, columns}) == " name   price\n  x      3.14");
}

TEST_CASE("lists are a row, text is itself, and what takes rows keeps them") {
  Shown show;
  CHECK(plain(show, show.range(3)) == "0  1  2");
  CHECK(plain(show, show.text("as \"it\" is")) == "as \"it\" is");
  CHECK(plain(show, Value::character(U'é')) == "é");
  CHECK(plain(show, 5) == "5");
  CHECK(plain(show, show.list({show.shaped({2, 1}, show.list({1, 2})), show.text("x\nyz"), show.list({})})) ==
        "┌─     x\n╵ 1    yz\n  2\n    ┘");
  CHECK(plain(show, show.shaped({2, 1, 2}, show.range(4))) == "0  1\n\n2  3");
  CHECK(plain(show, show.shaped({0, 2}, show.list({}))).empty());
}

TEST_CASE("what there is no room for is left out") {
  Shown show;
  bool whole = true;
  const Value table = show.shaped({100, 100}, show.range(10000));
  CHECK(std::string(plain_text(show.cx, table, {2, 6, 6}, {}, whole)) == "  0  …\n100  …");
  CHECK(!whole);
}
