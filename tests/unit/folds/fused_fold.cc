#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("folds run from the right") {
  BothWays ways;
  for (const char* f : {"+´𝕩", "×´𝕩", "⌊´𝕩", "⌈´𝕩", "∧´𝕩", "∨´𝕩", "=´𝕩", "≠´𝕩", "<´𝕩", ">´𝕩", "-´𝕩"}) ways.on_lists(f);
  for (const char* program : {"-´0.1×↕100", "+´0.1×↕1000", "×´1+↕20", "+´100⥊2⋆53", "-´2|↕1001"}) ways.agree(program);
}
