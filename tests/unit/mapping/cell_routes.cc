#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("what functions do to cells by a route of their own is what calls do") {
  BothWays ways;
  for (const char* function : {"3+˘𝕩", "𝕩-˘1", "(2⊸×)˘𝕩", "𝕩+˘𝕩", "(⊏𝕩)⊸=˘𝕩", "-˘𝕩", "{𝕩+1}˘𝕩", "{𝕩∾𝕩}˘𝕩", "(⌽⌽)˘𝕩"})
    ways.on_tables(function);
  for (const char* program : {"(↕3)+⎉1‿1 3‿3⥊↕9", "(↕3)+˘3‿3⥊↕9", "(↕4)+˘3‿3⥊↕9", "(↕3)+⎉0‿1 2‿3⥊↕6", "(2‿3⥊↕6)+⎉1(4‿3⥊↕12)",
                              "\"ab\"+˘2‿3⥊↕6", "(3‿3⥊↕9)(+˝×)⎉1‿∞ 3‿3⥊↕9", "(↕2)×⎉0 2‿3⥊↕6"})
    ways.agree(program);
}
