#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a plan goes on in wider types from where a result does not fit") {
  BothWays ways;
  for (const char* program :
       {"{x←𝕩⋄1+2×x} 100⥊60‿64", "{x←𝕩⋄1+2×x} 1000⥊(999⥊1)∾127", "{x←𝕩⋄1+2×x} (¯1↓5000⥊100)∾16000", "{x←𝕩⋄1+2×x} 3000⥊2⋆30",
        "{x←𝕩⋄1+2×x} (2999⥊1)∾2⋆52", "{x←𝕩⋄1+2×x} ↕5000", "{x←𝕩⋄1+2×x} 0.5×↕5000", "{x←𝕩⋄+´x×x-1} 5000⥊100",
        "{x←𝕩⋄+´x×x-1} 5000⥊30000", "{x←𝕩⋄+´x×x-1} 5000⥊2⋆30", "{x←𝕩⋄+´x×x-1} 0.1×↕5000"})
    ways.agree(program);
}

TEST_CASE("one operation on short lists gives what its primitive gives") {
  BothWays ways;
  for (const char* f : {"𝕩+1", "2×𝕩", "5|𝕩", "𝕩=3", "𝕩<'h'", "¬𝕩", "+´𝕩>3", "⌈´𝕩-1", "(𝕩>3)/𝕩", "/𝕩>3", "2⌈9⌊𝕩"})
    ways.on_lists(f);
}
