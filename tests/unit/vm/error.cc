#include "runtime/vm/error.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("errors carry a place for every call") {
  Machinery m;
  try {
    m.run("F←{1‿2+𝕩⥊0}\nG←{𝕊𝕩:F 𝕩}\nG 3");
    FAIL("ran");
  } catch (const Error& e) {
    REQUIRE(e.frames.size() == 3);
    CHECK(e.frames[0].source->text.substr(e.frames[0].start, 1) == "+");
    CHECK(e.frames[1].source->line_at(e.frames[1].start).number == 2);
    CHECK(e.frames[2].source->line_at(e.frames[2].start).number == 3);
  }
}

TEST_CASE("values are named in messages by kind, shape or number") {
  Machinery m;
  const std::vector<std::size_t> shape = {2, 3}, one = {3};
  CHECK(shape_text(std::span<const std::size_t>(shape)) == "2‿3");
  CHECK(shape_text(std::span<const std::size_t>(one)) == "⟨3⟩");
  CHECK(shape_text(std::span<const std::size_t>()) == "⟨⟩");
  CHECK(number_text(-1.5) == "¯1.5");
  CHECK(kind_text(Value(1)) == "number");
  CHECK(kind_text(m.run("\"abc\"")) == "list of length 3");
  CHECK(kind_text(m.run("2‿3⥊0")) == "2‿3 array");
  CHECK(kind_text(m.run("⊑⟨-⟩")) == "function");
  CHECK(value_text(Value(7)) == "7");
}

TEST_CASE("the handler of an error sees its message, and the one around it its own") {
  Machinery m;
  m.cx.current_error = Value(1);
  {
    const CaughtError caught(m.cx, Value(2));
    CHECK(m.cx.current_error.number() == 2);
  }
  CHECK(m.cx.current_error.number() == 1);
  m.cx.current_error = Value();
}
