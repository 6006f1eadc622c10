#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("monads give the same on lists and tables of every type") {
  BothWays ways;
  for (const char* f : {"-𝕩", "×𝕩", "÷𝕩", "⋆𝕩", "√𝕩", "⌊𝕩", "⌈𝕩", "|𝕩", "¬𝕩"}) ways.on_lists(f);
  for (const char* f : {"-𝕩", "|𝕩", "⌊𝕩"}) ways.on_tables(f);
}
