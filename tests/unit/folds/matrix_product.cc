#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("products of matrices are sums of products of cells") {
  BothWays ways;
  for (const char* program : {"(2‿3⥊↕6)+˝∘×⎉1‿∞ 3‿4⥊↕12", "(5‿7⥊0.5×↕35)+˝∘×⎉1‿∞ 7‿2⥊0.25×↕14", "(2‿2⥊0‿1)+˝∘×⎉1‿∞ 2‿0⥊0",
                              "(3‿3⥊100)+˝∘×⎉1‿∞ 3‿3⥊100", "(1‿2‿3)+˝∘×⎉1‿∞ 3‿2⥊↕6"})
    ways.agree(program);
}
