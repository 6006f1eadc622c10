#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

using griddle::Any;
using griddle::Interpreter;

TEST_CASE("a host shows as much of a value as it has room for") {
  Interpreter bqn;
  bool whole = false;
  CHECK(bqn.eval("2‿2⥊↕4")->format_within({10, 40, 40}, &whole) == bqn.eval("2‿2⥊↕4")->format());
  CHECK(whole);
  CHECK(bqn.eval("↕1e6")->format_within({1, 12, 12}, &whole) == "⟨ 0 1 2 3 4…");
  CHECK(!whole);
  // A row that stands alone may be longer than others, and nothing limits what is 0.
  CHECK(bqn.eval("↕8")->format_within({1, 5, 30}, &whole) == "⟨ 0 1 2 3 4 5 6 7 ⟩");
  CHECK(bqn.eval("↕8")->format_within({}) == "⟨ 0 1 2 3 4 5 6 7 ⟩");
  CHECK(Any().format_within({}).empty());
}

TEST_CASE("the bytes of an array count each part once") {
  Interpreter bqn;
  CHECK(bqn.eval("1e3⥊0.5")->bytes() == 8000);
  CHECK(bqn.eval("5")->bytes() == 0);
  const std::size_t boxes = 1000 * 8;
  CHECK(bqn.eval("1e3⥊⟨1e3⥊0.5⟩")->bytes() == boxes + 8000);
  CHECK(!bqn.eval("↕9")->is_on_device());
}
