#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("results of cells are merged, and must have one shape") {
  BothWays ways;
  for (const char* function : {"{⟨𝕩⟩}˘𝕩", "{𝕩⊑˜0⥊0}˘𝕩", "{+´𝕩}⎉1 𝕩", "{≢𝕩}⎉¯1 𝕩", "5˘𝕩", "{𝕩}⎉0 𝕩", "{𝕩}⎉9 𝕩"})
    ways.on_tables(function);
  for (const char* program :
       {"↕˘1‿2", "{↕⊑𝕩}˘2‿2⥊1‿5", "⌽˘5", "{𝕨∾𝕩}˘5", "3{𝕨∾𝕩}˘\"ab\"", "(2‿2⥊↕4){𝕨∾𝕩}˘3‿2⥊↕6", "{𝕨∾𝕩}⎉(1‿2) 3",
        "(↕3){𝕨‿𝕩}⎉0‿1 3‿2⥊↕6", "{!0}˘0‿3⥊0", "≢{2‿2⥊𝕩}˘0‿3⥊0", "≢5˘0‿3⥊0", "⊢⎉\"a\" 3", "⊢⎉(1‿2‿3‿4) 3", "⊢⎉1.5 3"})
    ways.agree(program);
}
