#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("each row is scanned on its own") {
  BothWays ways;
  for (const char* f : {"+`˘𝕩", "×`˘𝕩", "⌊`˘𝕩", "⌈`˘𝕩", "-`˘𝕩", "∨`˘𝕩", "≠`˘𝕩", "<`˘𝕩", "÷`˘𝕩"}) ways.on_tables(f);
  for (const char* program : {"+`˘3‿200⥊1", "-`˘2‿300⥊2|↕7", "+`˘2‿40⥊2147483647", "+`˘3‿20⥊2147483647", "+`˘9‿60⥊0.1×↕99"})
    ways.agree(program);
}
