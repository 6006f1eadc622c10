#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a table of all results gives what the operations give") {
  BothWays ways;
  for (const char* f : {"(𝕩≥'d')∧𝕩≤'k'", "(𝕩='a')∨(𝕩='e')∨𝕩='i'", "(3|𝕩)×5-𝕩", "(𝕩×𝕩)-2|𝕩", "𝕩-32×('a'≤𝕩)∧𝕩≤'z'",
                        "(𝕩>3)≠(𝕩<¯9)∨𝕩=7", "𝕩+(𝕩>¯5)+𝕩>9"})
    ways.on_lists(f);
  for (const char* program :
       {"{a‿b‿c←𝕩⋄(a∧b)∨¬c}⟨2|↕300,2|(↕300)÷2,2|⌊(↕300)÷4⟩", "{a‿b‿c←𝕩⋄+´(a∧b)∨¬c}⟨2|↕300,2|⌊(↕300)÷2,2|⌊(↕300)÷4⟩"})
    ways.agree(program);
}
