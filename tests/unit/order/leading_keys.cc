#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("values of any kind are put in order by all that they hold") {
  BothWays ways;
  for (const char* program :
       {"∧⟨\"b\",\"a\",\"ab\",\"\",\"a\"⟩", "⍋⟨1‿2,1,⟨⟩,\"a\",1‿1,'a',⟨1⟩,0.5,¯∞⟩", "⍒⟨\"日本\",\"日\",\"z\",\"a日\"⟩",
        "∧⟨⟨⟨1⟩,2⟩,⟨⟨1⟩⟩,⟨1,2⟩⟩", "∧{⟨𝕩|3,\"x\"⟩}¨1+↕50", "⍋{(3|𝕩)⥊7|𝕩}¨↕100", "∧⟨1e300,1,¯1e300,2⋆53⟩∾<\"box\""})
    ways.agree(program);
}
