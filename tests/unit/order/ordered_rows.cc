#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("rows are put in order as lists are, and so are their places") {
  BothWays ways;
  for (const char* f : {"∧˘𝕩", "∨˘𝕩", "⍋˘𝕩", "⍒˘𝕩"}) ways.on_tables(f);
  for (const char* program : {"{∧˘𝕩}200‿7⥊¯50+101|37×↕1400", "{⍋˘𝕩}3‿500⥊0.5+1013|37×↕1500"}) ways.agree(program);
}
