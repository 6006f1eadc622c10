#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("running sums go on in wider types") {
  BothWays ways;
  for (const char* program : {"+`100⥊100", "+`20000⥊100", "+`1000⥊30000", "+`9⥊2147483647", "-`9⥊2147483647", "-`↕200", "-`⌽↕9",
                              "-`40000⥊1", "+`40000⥊1", "100+`↕50", "¯5+`2|↕99", "1e9+`9⥊1e9", "0.5+`↕9", "+`300‿2⥊2|↕7",
                              "-`300‿2⥊2|↕7", "+`9‿2⥊2147483647", "⌈`9‿3⥊0.5×50|7×↕27", "⌊`9‿3⥊50|7×↕27"})
    ways.agree(program);
}
