#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("columns are summed, counted and compared in any number") {
  BothWays ways;
  for (const char* shape : {"2‿3", "300‿1", "300‿3", "70‿40", "3‿600", "20‿5000", "70000‿2"})
    for (const char* list : {"2|↕1001", "100-↕201", "30000-100|↕999", "2147483647-9|↕77", "0.1×↕99"})
      for (const char* f : {"+˝", "⌊˝", "⌈˝"}) ways.agree(std::string("{") + f + "𝕩} " + shape + "⥊" + list);
}
