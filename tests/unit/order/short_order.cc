#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("bits and what is in order already are sorted and graded as anything else is") {
  BothWays ways;
  for (const char* program : {"{∧2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕130", "{∨2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕130", "{⍋2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕200",
                              "{⍒2|𝕩⥊3‿1‿4‿1‿5‿9‿2‿6}¨↕200", "∧∧3‿1‿2", "∨∨3‿1‿2", "∧↕5", "∨↕5"})
    ways.agree(program);
}
