#include "runtime/bytecode/chunk.h"

#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("an instruction knows the place that it was written for") {
  Machinery m;
  const Ref<Code> code = m.code("a←↕5\n⌽a+\"abc\"");
  try {
    m.vm->run(*code);
    FAIL("ran");
  } catch (const Error& e) {
    REQUIRE(!e.frames.empty());
    CHECK(e.frames[0].source->text.substr(e.frames[0].start, 1) == "+");
  }
}

TEST_CASE("code keeps alive what its instructions hold") {
  Machinery m;
  Ref<Code> code = m.code("a←\"a text of some length\" ⋄ a↩⌽a ⋄ a∾⟨1,\"of any values\"⟩");
  collect_cycles(m.cx.heap);
  CHECK(display_text(m.cx, m.vm->run(*code)).starts_with("⟨"));
  CHECK(code->frame_size > 0);
  CHECK(code->word_count > 0);
}
