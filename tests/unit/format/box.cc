#include "runtime/format/box.h"

#include <doctest/doctest.h>

#include "tests/support/shown.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("numbers of a column align on the point if their exponents agree") {
  Shown show;
  CHECK(show(show.shaped({2, 3}, show.list({1, 22, 3.25, -4, 5, 60}))) ==
        "┌─             \n"
        "╵  1 22  3.25  \n"
        "  ¯4  5 60     \n"
        "              ┘");
  CHECK(show(show.shaped({2, 1}, show.list({1e20, 3.5}))) ==
        "┌─      \n"
        "╵ 1e20  \n"
        "   3.5  \n"
        "       ┘");
  CHECK(show(show.shaped({2, 1}, show.list({1.5e20, 1e20}))) ==
        "┌─           \n"
        "╵    1.5e20  \n"
        "  1e20       \n"
        "            ┘");
  CHECK(show(show.shaped({2, 1}, show.list({1.5e20, 2.25e20}))) ==
        "┌─         \n"
        "╵ 1.5e20   \n"
        "  2.25e20  \n"
        "          ┘");
}

TEST_CASE("axes beyond two are parted by blank rows") {
  Shown show;
  CHECK(show(show.shaped({2, 2, 2}, show.range(8))) ==
        "┌─     \n"
        "╎ 0 1  \n"
        "  2 3  \n"
        "       \n"
        "  4 5  \n"
        "  6 7  \n"
        "      ┘");
  CHECK(show(show.shaped({1, 1, 1, 1, 1, 1}, show.list({7}))) == "┌6   \n┊ 7  \n    ┘");
}

TEST_CASE("wide and combining characters take their columns in boxes") {
  Shown show;
  CHECK(show(show.shaped({2, 2}, show.text("漢字ab"))) == "┌─      \n╵\"漢字  \n  ab\"   \n       ┘");
  CHECK(show(show.shaped({2, 2}, show.text("ae\u0301b"))) == "┌─    \n╵\"ae  \n  \u0301b\"  \n     ┘");
}

TEST_CASE("characters in boxes are quoted at both ends and marked where a cell begins") {
  Shown show;
  CHECK(show(show.shaped({2, 3}, show.text("uvwxyz"))) == "┌─     \n╵\"uvw  \n  xyz\" \n      ┘");
  CHECK(show(show.shaped({2, 1, 2}, show.text("abcd"))) ==
        "┌─    \n"
        "╎\"ab  \n"
        "      \n"
        " ·cd\" \n"
        "     ┘");
  CHECK(show(show.shaped({1, 3}, show.text("a\nb"))) == "┌─     \n╵\"a␊b\" \n      ┘");
  CHECK(show(enclose(show.cx.heap, Value::character('\''))) == "┌·   \n·''' \n    ┘");
}

TEST_CASE("boxes stand beside their neighbours at the top left") {
  Shown show;
  CHECK(show(show.list({show.shaped({2, 2}, show.range(4)), show.text("x")})) ==
        "┌─             \n"
        "· ┌─      \"x\"  \n"
        "  ╵ 0 1        \n"
        "    2 3        \n"
        "        ┘      \n"
        "              ┘");
  CHECK(show(enclose(show.cx.heap, 5)) == "┌·   \n· 5  \n    ┘");
}
