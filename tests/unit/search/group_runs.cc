#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("groups whose cells lie together are those of cells that do not") {
  BothWays ways;
  for (const char* program : {"(0‿0‿0‿1‿1‿3‿3)⊔\"abcdefg\"", "(⌊(↕1000)÷7)⊔↕1000", "(¯1+⌊(↕900)÷9)⊔\"ab\"∾898⥊\"cde\"",
                              "(⌊(↕60)÷3)⊔60‿2⥊↕120", "(≠⍷⌊(↕500)÷5)‿(≠(⌊(↕500)÷5)⊔↕500)", "(+`' '=\"ab cd  e \")⊔\"ab cd  e \""})
    ways.agree(program);
}
