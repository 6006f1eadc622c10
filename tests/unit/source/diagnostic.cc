#include "runtime/source/diagnostic.h"

#include <doctest/doctest.h>

#include <string>

using namespace griddle;

TEST_CASE("Errors show name, line and carets") {
  const SourceText source("a←1\n\tb ← \"é\" + 𝕩xx\r\nc", "dir/x.bqn");
  const auto at = static_cast<std::uint32_t>(source.text.find("𝕩"));
  CHECK(render_place(source, {at, at + 5}) == "dir/x.bqn:2:\n  \tb ← \"é\" + 𝕩xx\n  \t          ^^\n");
  const auto end = static_cast<std::uint32_t>(source.text.size());
  CHECK(render_place(source, {end, end}) == "dir/x.bqn:3:\n  c\n   ^\n");
  CHECK(render_place(SourceText("1+c", ""), {2, 3}) == "at 1+c\n     ^\n");
  const SourceText wide(std::string(1000, '1') + "é$" + std::string(1000, '2'), "w");
  const std::string part = render_place(wide, {1002, 1003});
  CHECK(part == "w:1:\n  …" + std::string(98, '1') + "é$" + std::string(199, '2') + "…\n   " + std::string(99, ' ') + "^\n");
  // A bracket that is open: in the same line, or in another one.
  CHECK(render_place(SourceText("(é+2]", ""), {5, 6}, {0, 1}) == "at (é+2]\n   ^   ^\n");
  CHECK(render_place(SourceText("\t(1\n+2]", "f"), {6, 7}, {1, 2}) == "f:2:\n  +2]\n    ^\nopened in f:1:\n  \t(1\n  \t^\n");
  CHECK(render_place(SourceText("(1\n]", ""), {3, 4}, {0, 1}) == "at ]\n   ^\nopened at (1\n          ^\n");
  CHECK(render_place(SourceText("(]", ""), {1, 2}, {0, 1}) == "at (]\n   ^^\n");
  CHECK(render_place(SourceText("x", ""), {0, 0}) == "at x\n   ^\n");
  CHECK(render_error("Bad", source, {0, end}) == "Error: Bad\ndir/x.bqn:1:\n  a←1\n  ^^^\n");
}
