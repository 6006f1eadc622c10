#include "runtime/format/format.h"

#include <doctest/doctest.h>

#include "tests/support/shown.h"

using namespace griddle;
using namespace griddle::testing;

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

TEST_CASE("empty arrays show their shape") {
  Shown show;
  CHECK(show(show.shaped({0, 3}, show.list({}))) == "↕0‿3");
  CHECK(show(show.shaped({3, 0, 2}, show.list({}))) == "↕3‿0‿2");
  CHECK(show(show.shaped({2, 0}, show.list({}))) == "┌┐\n╵ \n  \n ┘");
  CHECK(show(show.shaped({0, 0}, show.list({}))) == "┌┐\n└┘");
}
