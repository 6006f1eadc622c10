#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("rows are folded onto each other column by column") {
  BothWays ways;
  for (const char* f : {"+˝𝕩", "×˝𝕩", "⌊˝𝕩", "⌈˝𝕩", "∧˝𝕩", "∨˝𝕩", "=˝𝕩", "-˝𝕩"}) ways.on_tables(f);
}
