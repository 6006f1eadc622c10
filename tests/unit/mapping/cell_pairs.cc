#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("cells that meet cells join, match, select and rotate as each pair does") {
  BothWays ways;
  for (const char* function : {"𝕩∾˘𝕩", "𝕩∾˘1", "7∾˘𝕩", "𝕩≡˘⌽𝕩", "𝕩≢˘𝕩", "𝕩≡˘(⊏𝕩)", "1⌽˘𝕩", "(↕≠𝕩)⌽˘𝕩"}) ways.on_tables(function);
  for (const char* program :
       {"(3‿2⥊0‿2‿1‿1‿2‿0)⊏˘3‿3⥊↕9", "(3‿2⥊0‿3)⊏˘3‿3⥊↕9", "(3‿2⥊¯1‿0)⊏˘3‿3⥊\"abcdefghi\"", "(2‿2⥊↕4)∾˘3‿2⥊↕6",
        "(2‿2⥊↕4)∾˘2‿3‿2⥊↕12", "0.5⌽˘2‿3⥊↕6", "¯7‿1e9⌽˘2‿3⥊↕6", "\"ab\"∾˘2‿3⥊↕6", "(2‿3⥊↕6)≡˘3‿3⥊↕9", "(2‿0⥊0)≡˘2‿0⥊\"a\""})
    ways.agree(program);
}
