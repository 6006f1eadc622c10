#include "runtime/bytecode/compiler.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("unknown system values are errors with a place") {
  Machinery m;
  try {
    m.code("1+•nowhere");
    FAIL("compiled");
  } catch (const Error& e) {
    CHECK(to_utf8(e.message.array()) == "Unknown system value •nowhere");
    REQUIRE(e.frames.size() == 1);
    CHECK(e.frames[0].start == 2);
  }
}

TEST_CASE("very long lists and very deep expressions compile or fail in order") {
  Machinery m;
  std::string list = "a←1 ⋄ a↩2 ⋄ ≠⟨a";
  for (int i = 1; i < 20000; i++) list += ",a";
  CHECK(m(list + "⟩") == "20000");
  std::string sum = "a←1 ⋄ a↩2 ⋄ a";
  for (int i = 0; i < 5000; i++) sum += "+a";
  CHECK(m(sum) == "10002");
}

TEST_CASE("a program that is none is an error with its place") {
  Machinery m;
  try {
    m.code("1\n2)");
    FAIL("compiled");
  } catch (const Error& e) {
    REQUIRE(e.frames.size() == 1);
    CHECK(e.frames[0].source->line_at(e.frames[0].start).number == 2);
  }
}
