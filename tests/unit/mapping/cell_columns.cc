#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a column of a table is what each row has there") {
  BothWays ways;
  for (const char* function : {"0⊑˘𝕩", "⊑˘𝕩", "2⊸⊑˘𝕩", "¯1⊏˘𝕩", "3⊏˘𝕩", "0⊸⊏˘𝕩"}) ways.on_tables(function);
  for (const char* program : {"63⊏˘70‿64⥊2|↕4481", "5⊏˘70‿13⥊2|⌊÷⟜3↕911", "5⊑˘0‿3⥊0", "0.5⊏˘2‿3⥊↕6", "9⊏˘2‿3⥊↕6",
                              "¯4⊑˘2‿3⥊\"abcdef\"", "1⊏˘2‿3⥊⟨1,\"a\",2‿3⟩"})
    ways.agree(program);
}
