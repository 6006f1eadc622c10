#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("digits are read in any base") {
  BothWays ways;
  for (const char* program :
       {"10⊸×⊸+˜´⌽1‿2‿3", "+⟜(2⊸×)´2|↕30", "10⊸×⊸+˜´↕300", "(⊣+2×⊢)´0.5×↕40", "+⟜(16⊸×)´255⥊15", "+⟜(2⊸×)´⟨⟩"})
    ways.agree(program);
}
