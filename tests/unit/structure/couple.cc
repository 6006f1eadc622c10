#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("values are enclosed, listed and put side by side") {
  BothWays ways;
  for (const char* f : {"<𝕩", "⋈𝕩", "≍𝕩", "𝕩⋈⌽𝕩", "𝕩≍⌽𝕩", "1⋈𝕩"}) ways.on_lists(f);
  for (const char* program : {"≍5", "1≍2", "1≍\"a\"", "1‿2≍3", "⋈\"ab\"", "\"a\"⋈1"}) ways.agree(program);
}
