#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("shapes agree by their leading axes, and results widen from where they must") {
  BothWays ways;
  for (const char* program : {"1‿2+2‿3⥊↕6", "(2‿3⥊↕6)-1‿2", "1‿2‿3+2‿3⥊↕6", "(2‿3⥊↕6)×2‿3‿2⥊↕12", "127‿1+1", "(200⥊127)+200⥊0‿1",
                              "(99⥊1)-¯2147483648", "(3‿0⥊0)+3‿0‿2⥊0", "\"ab\"-97", "(<5)+1‿2", "5+<1‿2"})
    ways.agree(program);
}
