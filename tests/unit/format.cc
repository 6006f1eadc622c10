#include "runtime/format/format.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runtime/format/number.h"

using namespace griddle;

namespace {

std::string number(double d) {
  char buffer[max_number_bytes];
  return std::string(buffer, write_number(buffer, d).end);
}

struct Shown {
  Context cx;
  std::string operator()(const Value& v) { return display_text(cx, v); }
  std::string source(const Value& v) {
    std::string out;
    CHECK(append_source(cx, out, v) == SourceProblem::none);
    return out;
  }
  Value list(std::vector<Value> v) { return make_values(cx.heap, v); }
  Value text(const char* s) { return make_string(cx.heap, s); }
  Value shaped(std::vector<std::size_t> shape, Value v) { return with_shape(cx.heap, std::move(v), shape); }
  Value range(std::size_t n) {
    std::vector<Value> v;
    for (std::size_t i = 0; i < n; i++) v.emplace_back(i);
    return list(v);
  }
};

}  // namespace

TEST_CASE("numbers have the shortest digits that read back") {
  CHECK(number(0.1 + 0.2) == "0.30000000000000004");
  CHECK(number(0) == "0");
  CHECK(number(-0.0) == "0");
  CHECK(number(-2.5) == "¯2.5");
  CHECK(number(1e22) == "1e22");
  CHECK(number(5e-324) == "5e¯324");
  CHECK(number(-std::numeric_limits<double>::max()) == "¯1.7976931348623157e308");
  CHECK(number(INFINITY) == "∞");
  CHECK(number(-INFINITY) == "¯∞");
  CHECK(number(NAN) == "NaN");
}

TEST_CASE("numbers are positional from 0.0001 to below 1e15") {
  CHECK(number(0.0001) == "0.0001");
  CHECK(number(0.00009999) == "9.999e¯5");
  CHECK(number(0.00012345678901234567) == "0.00012345678901234567");
  CHECK(number(999999999999999) == "999999999999999");
  CHECK(number(999999999999999.9) == "999999999999999.9");
  CHECK(number(1e15) == "1e15");
  CHECK(number(1234567890123456) == "1.234567890123456e15");
  CHECK(number(100000000000000.5) == "100000000000000.5");
}

TEST_CASE("a number's text tells its width, its lead and its exponent") {
  char buffer[max_number_bytes];
  NumberText text = write_number(buffer, -12.25);
  CHECK(text.width == 6);
  CHECK(text.lead == 3);
  CHECK(text.exponent == 0);
  text = write_number(buffer, -1.5e-20);
  CHECK(text.width == 8);
  CHECK(text.lead == 2);
  CHECK(text.exponent == 5);
}

TEST_CASE("a list stands on one row unless three angle brackets nest") {
  Shown show;
  Value one = show.list({1});
  CHECK(show(show.list({})) == "⟨⟩");
  CHECK(show(show.list({1, -2.5, Value::character('a'), show.text("bc"), show.list({})})) == "⟨ 1 ¯2.5 'a' \"bc\" ⟨⟩ ⟩");
  CHECK(show(show.list({show.list({show.list({1, 2}), show.text("ab")}), 3})) ==
        "┌─                    \n"
        "· ⟨ ⟨ 1 2 ⟩ \"ab\" ⟩ 3  \n"
        "                     ┘");
  CHECK(show(show.list({show.text("⟩⟩⟩"), show.list({one})})) == "⟨ \"⟩⟩⟩\" ⟨ ⟨ 1 ⟩ ⟩ ⟩");
}

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

TEST_CASE("empty arrays show their shape") {
  Shown show;
  CHECK(show(show.shaped({0, 3}, show.list({}))) == "↕0‿3");
  CHECK(show(show.shaped({3, 0, 2}, show.list({}))) == "↕3‿0‿2");
  CHECK(show(show.shaped({2, 0}, show.list({}))) == "┌┐\n╵ \n  \n ┘");
  CHECK(show(show.shaped({0, 0}, show.list({}))) == "┌┐\n└┘");
}

TEST_CASE("source text recreates data") {
  Shown show;
  CHECK(show.source(show.list({1, show.shaped({2, 2}, show.text("abcd"))})) == "⟨1,(2‿2⥊\"abcd\")⟩");
  CHECK(show.source(show.list({1, -2, Value::character('a')})) == "1‿¯2‿'a'");
  CHECK(show.source(show.list({5})) == "⟨5⟩");
  CHECK(show.source(enclose(show.cx.heap, show.text("a\"b"))) == "(<\"a\"\"b\")");
  CHECK(show.source(show.shaped({0, 3}, show.list({}))) == "(0‿3⥊⟨⟩)");
  CHECK(show.source(Value::character(0)) == "@");
}
