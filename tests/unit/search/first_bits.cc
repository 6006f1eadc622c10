#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("the first of each kind of bit is found wherever it lies") {
  BothWays ways;
  for (const char* length : {"1", "2", "63", "64", "65", "130", "20000"})
    for (const char* place : {"0", "1", "62", "63", "64", "129", "19999"})
      for (const char* function : {"∊", "⍷", "⊐"}) {
        const std::string bits = std::string("(") + place + "=↕" + length + ")";
        ways.agree(function + bits);
        ways.agree(function + ("¬" + bits));
        ways.agree(function + ("¨⟨" + bits) + ",¬" + bits + "⟩");
      }
}
