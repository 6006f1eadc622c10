#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("functions go into nested arrays, and leave shared ones as they were") {
  BothWays ways;
  for (const char* program : {"⟨1,⟨2,3‿4⟩,\"a\"⟩+1", "⟨1‿2,3⟩×⟨2,⟨3,4⟩⟩", "a←⟨1‿2,3⟩⋄b←-a⋄a‿b", "⟨1‿2,3⟩+1‿2‿3", "(<1‿2)+⟨3,4⟩",
                              "¬⟨0‿1,⟨1⟩⟩", "⟨⟨⟩,\"\"⟩+1", "⟨\"ab\",⟨'c'⟩⟩-'a'", "2‿2⥊⟨1,⟨2⟩,3,⟨4,5⟩⟩"})
    ways.agree(program);
}
