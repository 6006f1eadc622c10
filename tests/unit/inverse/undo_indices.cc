#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("indices are counted") {
  BothWays ways;
  for (const char* program :
       {"/⁼0‿0‿2‿5", "/⁼⟨⟩", "/⁼1‿0", "/⁼2|↕9", "/⁼⌊(↕1000)÷3", "/⁼⟨0‿1,0‿1,1‿0⟩", "/⁼¯1‿0", "/⁼0.5‿1", "/⁼300⥊200"})
    ways.agree(program);
}
