#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("keys of 16 bits and more are searched by tables") {
  BothWays ways;
  for (const char* program :
       {"{𝕩⊐⌽𝕩} 30000|7919×↕3000", "{𝕩⊐⌽𝕩} ¯1e6+2e6|7919×↕3000", "{𝕩⊐⌽𝕩} 0.5+30000|7919×↕3000", "{𝕩⊐⌽𝕩} 1e12×3000|7919×↕2000",
        "{𝕩∊2↓𝕩} 30000|7919×↕3000", "{𝕩∊2↓𝕩} ¯1e6+2e6|7919×↕3000", "{𝕩∊2↓𝕩} 0.5+30000|7919×↕3000", "{𝕩∊2↓𝕩} 1e12×3000|7919×↕2000",
        "⊐30000|7919×↕5000", "∊1e6|7919×↕5000", "⍷0.5×3000|7919×↕9000"})
    ways.agree(program);
}
