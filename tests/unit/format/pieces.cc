#include "runtime/format/pieces.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/program.h"

using namespace griddle;

TEST_CASE("what has many elements, in all, is large") {
  Machinery m;
  CHECK(!is_large(m.run("↕4000")));
  CHECK(is_large(m.run("↕5000")));
  CHECK(is_large(m.run("⟨↕3000,\"ab\",↕3000⟩")));
  CHECK(!is_large(m.run("<<<5")));
  CHECK(!is_large(m.run("5")));
}

TEST_CASE("memory for the text of a large value does not grow with it") {
  Machinery m;
  for (const char* code :
       {"1e6⥊0.1+↕1000", "1e6⥊\"abc\"", "1e6⥊⟨\"abc\",1‿2⟩", "1e5⥊⟨\"ab\",1‿2,⟨3,\"c\",2‿2⥊5⟩⟩", "1e5‿10⥊0.1+↕1000",
        "⟨⟨1e6⥊0.1⟩,3‿5⥊<\"ab\"⟩", "2‿5e5⥊1.5", "⟨1e6⥊0.1,1‿1⥊4⟩", "2‿1e7⥊\"abc\"", "⟨2‿1e7⥊\"abc\",1‿1⥊4⟩"}) {
    CAPTURE(code);
    const Value v = m.run(code);
    const std::size_t before = m.cx.heap.bytes_in_use();
    m.cx.heap.forget_peak();
    std::size_t bytes = 0;
    text_in_pieces(
        m.cx, v, {},
        [](void* sum, std::string_view piece) {
          *static_cast<std::size_t*>(sum) += piece.size();
          return true;
        },
        &bytes);
    CHECK(bytes > 1'000'000);
    CHECK(m.cx.heap.peak_bytes() - before < 10'000'000);
  }
}
