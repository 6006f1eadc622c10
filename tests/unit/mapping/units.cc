#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("arrays of units are merged and looked up as any others are") {
  BothWays ways;
  for (const char* function : {">⊐⟜𝕩¨𝕩", ">𝕩∊¨<𝕩", "(3↑𝕩)∊¨<𝕩", ">𝕩⊐⌜2↑𝕩", ">(<∘⊢)¨𝕩"}) ways.on_lists(function);
  for (const char* program : {"\"abc\"∊¨<\"cb\"", "\"abc\"∊¨⟨\"c\",\"b\",1⟩", ">1‿2∊¨⟨1‿3,2‿2‿4⟩", ">⟨<1,<2⟩", ">⟨<\"a\",<2⟩",
                              "1‿2∊¨3", "⟨1,\"a\"⟩∊¨<⟨\"a\",2⟩"})
    ways.agree(program);
}
