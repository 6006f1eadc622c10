#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("scans hold each result on the way") {
  BothWays ways;
  for (const char* f :
       {"+`𝕩", "×`𝕩", "⌊`𝕩", "⌈`𝕩", "∧`𝕩", "∨`𝕩", "=`𝕩", "≠`𝕩", "<`𝕩", ">`𝕩", "-`𝕩", "÷`𝕩", "3+`𝕩", "1<`𝕩", "2⌊`𝕩"})
    ways.on_lists(f);
  for (const char* program : {"+`100⥊100", "+`1000⥊30000", "⌈`0.5×50|7×↕100", "≠`2|⌊(↕300)÷3", "100+`↕50"}) ways.agree(program);
}
