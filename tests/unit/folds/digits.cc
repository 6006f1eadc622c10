#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("digits are read in any base") {
  BothWays ways;
  for (const char* program :
       {"10⊸×⊸+˜´⌽1‿2‿3", "+⟜(2⊸×)´2|↕30", "10⊸×⊸+˜´↕300", "(⊣+2×⊢)´0.5×↕40", "+⟜(16⊸×)´255⥊15", "+⟜(2⊸×)´⟨⟩"})
    ways.agree(program);
  for (const char* n : {"1", "2", "51", "52", "53", "54", "64", "65", "200"})
    for (const char* base : {"2", "3", "64"}) ways.agree(std::string("{") + base + "⊸×⊸+˜´𝕩} " + n + "⥊1‿0‿1‿1‿1");
}
