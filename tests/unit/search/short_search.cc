#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a few atoms are searched, ordered and classified alike") {
  BothWays ways;
  for (const char* f : {"⊐4↑𝕩", "⍷3↑𝕩", "∊5↑𝕩", "⍋4↑𝕩", "∧3↑𝕩", "(4↑𝕩)⊐𝕩"}) ways.on_lists(f);
  for (const char* program : {"1‿2‿1⊐1", "\"ab\"⊐'b'", "⊐⟨1,\"a\",1⟩", "∧3‿1‿2", "⍋\"ba\"", "⟨⟩⊐1"}) ways.agree(program);
}
