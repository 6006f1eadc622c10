#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("functions that give an argument back take one end") {
  BothWays ways;
  for (const char* f : {"⊣´𝕩", "⊢´𝕩", "⊣`𝕩", "⊢`𝕩", "⊣˝𝕩", "⊢˝𝕩", "⊢∘⊣´𝕩", "⊣∘⊢`𝕩", "3⊣´𝕩", "3⊢´𝕩"}) ways.on_lists(f);
  for (const char* f : {"⊣˝𝕩", "⊢˝𝕩", "⊣`𝕩", "⊢`𝕩"}) ways.on_tables(f);
}
