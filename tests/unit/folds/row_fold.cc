#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("each row is folded and scanned on its own") {
  BothWays ways;
  for (const char* f :
       {"+´˘𝕩", "+˝˘𝕩", "+`˘𝕩", "×´˘𝕩", "×˝˘𝕩", "×`˘𝕩", "⌊´˘𝕩", "⌊˝˘𝕩", "⌊`˘𝕩", "⌈´˘𝕩", "⌈˝˘𝕩", "⌈`˘𝕩", "-´˘𝕩", "-˝˘𝕩", "-`˘𝕩"})
    ways.on_tables(f);
}
