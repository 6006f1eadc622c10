#include <doctest/doctest.h>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("an error in a block that works on whole arrays is found in the block") {
  Machinery m;
  try {
    m.run("F←{𝕩+𝕩}\nF¨\"a string that is long enough\"");
    FAIL("ran");
  } catch (const Error& e) {
    REQUIRE(e.frames.size() == 2);
    CHECK(e.frames[0].source->line_at(e.frames[0].start).number == 1);
    CHECK(e.frames[1].source->line_at(e.frames[1].start).number == 2);
  }
}

TEST_CASE("frames that an error leaves give back what they held") {
  Machinery m;
  m.run("1");
  collect_cycles(m.cx.heap);
  const std::size_t before = m.cx.heap.bytes_in_use();
  CHECK(m("{a←⌽𝕩∾\"held\" ⋄ F←{a∾𝕩+\"x\"} ⋄ F a}\"text\"").substr(0, 1) == "!");
  CHECK(m("{𝕊: 1‿2+3‿4‿5}⎊⟨⟩ 0") == "⟨⟩");
  CHECK(m("{𝕊x: {!𝕩}⎊{𝕊: x} x}4") == "4");
  collect_cycles(m.cx.heap);
  CHECK(m.cx.heap.bytes_in_use() == before);
}
