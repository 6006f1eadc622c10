#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("neighbouring operations that one kernel does give what both give") {
  BothWays ways;
  for (const char* f : {"(𝕩>3)∧𝕩<9", "3⌈9⌊𝕩", "1+2×𝕩", "(2×𝕩)-𝕩", "+´𝕩×𝕩"}) ways.on_lists(f);
  for (const char* program : {"{x←𝕩⋄+´(x>10)∧x≤20000}↕70000", "{x←𝕩⋄¯100⌈100⌊x-35000}↕70000"}) ways.agree(program);
}
