#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a place meets lists of one kind after another, and of other lengths") {
  BothWays ways;
  for (const char* program : {"F←{𝕩+1}⋄F¨⟨↕5,↕6,0.5×↕5,100+↕5,\"abc\",2|↕70,↕5,3,⟨1,⟨2⟩⟩,127⥊127,↕5⟩",
                              "F←{𝕨×𝕩}⋄a←⟨↕5,5⥊200,0.5×↕5,2|↕5,5⥊30000,↕5⟩⋄a F¨⌽a", "F←{-𝕩}⋄F¨⟨↕9,9⥊¯128,↕9,0.5×↕9,9⥊\"a\"⟩",
                              "F←{𝕩='b'}⋄F¨⟨\"abc\",\"ab\",\"日b\",1‿2,\"abc\"⟩", "F←{+´𝕩}⋄F¨⟨↕9,↕10,100⥊100,0.5×↕9,2|↕80,↕9⟩"})
    ways.agree(program);
}
