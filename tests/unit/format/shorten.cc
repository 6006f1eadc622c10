#include "runtime/format/shorten.h"

#include <doctest/doctest.h>

#include "tests/support/shown.h"

using namespace griddle;
using namespace griddle::testing;

namespace {

struct Within {
  Shown show;
  bool whole = false;
  std::string operator()(const Value& v, const TextRoom& room) { return std::string(text_within(show.cx, v, room, &whole)); }
};

}  // namespace

TEST_CASE("text is cut at the last row and column, and says so") {
  Context cx;
  bool whole = false;
  const auto cut = [&](std::string_view text, std::size_t rows, std::size_t columns) {
    return std::string(shortened(cx, text, {rows, columns}, whole));
  };
  CHECK(cut("abc\nde", 2, 3) == "abc\nde");
  CHECK(whole);
  CHECK(cut("abc\nde", 2, 2) == "a…\nde");
  CHECK(!whole);
  CHECK(cut("abc\nde\nf", 2, 3) == "abc\n…");
  CHECK(!whole);
  // Blanks are nothing that one would miss.
  CHECK(cut("ab  \nc", 2, 2) == "ab\nc");
  CHECK(whole);
}

TEST_CASE("what fits is shown as without a limit") {
  Within within;
  Shown& show = within.show;
  const Value table = show.shaped({2, 3}, show.range(6)), nested = show.list({table, show.text("ab"), show.list({1})});
  for (const Value& v : {table, nested, show.text("abc"), Value(5.0), show.shaped({2, 2}, show.text("abcd"))}) {
    CHECK(within(v, {20, 60, 60}) == show(v));
    CHECK(within.whole);
  }
}

TEST_CASE("of a large array no more is formatted than there is room for") {
  Within within;
  Shown& show = within.show;
  const Value row = show.range(1000);
  Value nested = row;
  // A thousand elements, each of which is the one before: no text of all would ever end.
  for (int depth = 0; depth < 6; depth++) nested = show.list(std::vector<Value>(1000, nested));
  const std::size_t before = show.cx.heap.peak_bytes();
  for (const Value& v :
       {row, nested, show.shaped({10, 100}, row), show.shaped({10, 10, 10}, row), show.shaped({500, 2}, nested)}) {
    const std::string text = within(v, {6, 30, 60});
    CHECK(!within.whole);
    CHECK(text.find("…") != text.npos);
    CHECK(text.size() < 1000);
  }
  CHECK(show.cx.heap.peak_bytes() - before < 10'000'000);
}

TEST_CASE("a long string is cut, also where its lines are short") {
  Within within;
  Shown& show = within.show;
  std::string lines;
  for (int i = 0; i < 1000; i++) lines += "ab\n";
  CHECK(within(show.text(lines.c_str()), {3, 10, 10}) == "\"ab\nab\n…");
  CHECK(within(show.text(std::string(1000, 'x').c_str()), {3, 6, 6}) == "\"xxxx…");
  CHECK(!within.whole);
}
