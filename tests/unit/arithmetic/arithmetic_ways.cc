// What is put together from several kernels, or read in a narrower type, is what the functions of two numbers say.
#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("Or and Span of integers of all types, quotients and small remainders are those of their elements") {
  BothWays ways;
  for (const char* function :
       {"𝕩∨⌽𝕩", "3∨𝕩", "𝕩∨1", "𝕩∨0", "𝕩¬⌽𝕩", "5¬𝕩", "𝕩¬5", "𝕩÷3", "𝕩÷1+𝕩", "12÷1+𝕩", "2|𝕩", "7|𝕩", "200|𝕩", "0|𝕩"})
    ways.on_lists(function);
  for (const char* program : {"(↕300)∨⌽↕300", "(↕30)∨30⥊0‿1", "(30⥊0‿1)∨↕30", "(60⥊0‿1)¬60⥊1‿0‿0", "2147483647‿5∨2147483647‿7",
                              "¯2147483648‿5¬2147483647‿7", "\"abc\"¬'a'", "'c'¬1‿2", "3‿4¬\"ab\"", "1‿2∨1‿2‿3", "⟨⟩∨⟨⟩",
                              "\"a\"∨1‿2", "(3‿2⥊↕6)∨3‿2⥊⌽↕6", "(2‿20⥊↕40)¬2‿20⥊7"})
    ways.agree(program);
}
