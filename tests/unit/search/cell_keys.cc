#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("cells of any width are told apart") {
  BothWays ways;
  for (const char* f : {"⊐𝕩", "⍷𝕩", "∊𝕩", "𝕩⊐⌽𝕩", "𝕩∊1↓𝕩"}) ways.on_tables(f);
  for (const char* program : {"⊐200‿3⥊4|3×↕600", "⍷200‿2⥊0.5×5|↕400", "⊐100‿9⥊\"abcde\"", "⊐100‿2⥊¯0‿0"}) ways.agree(program);
}
