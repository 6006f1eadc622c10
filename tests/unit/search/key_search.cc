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

TEST_CASE("few keys of any width are compared with each other") {
  griddle::testing::Host host;
  // A row of each table as a list in a box has another key.
  for (const char* rows : {"17", "40", "41", "127", "128"})
    for (const char* columns : {"1", "2", "3", "8"}) {
      const std::string t = std::string("(") + rows + "‿" + columns + "⥊5|7×⌊(↕" + rows + "×" + columns + ")÷3)";
      for (const char* same : {"{(⊐𝕩)≡⊐<˘𝕩}", "{(∊𝕩)≡∊<˘𝕩}", "{(𝕩⊐⌽𝕩)≡(<˘𝕩)⊐<˘⌽𝕩}", "{(𝕩∊7↑𝕩)≡(<˘𝕩)∊<˘7↑𝕩}"})
        CHECK(host(same + t) == "1");
    }
}

TEST_CASE("many are matched with keys far from each other") {
  griddle::testing::Host host;
  for (const char* n : {"41", "127", "128", "300", "4000", "65536", "65537"})
    for (const char* keys : {"2147480000|829348951×↕", "4000000|829348951×↕", "¯1073740000+2147480000|829348951×⌊0.1×↕"}) {
      CAPTURE(n);
      CAPTURE(keys);
      CHECK(host(std::string("{x←(7+4×≠𝕩)⥊(⌽𝕩)∾1+𝕩 ⋄ (x∊𝕩)≡(𝕩⊐x)<≠𝕩}") + keys + n) == "1");
    }
}

TEST_CASE("bytes are numbered in order of appearance, of short lists and of long ones") {
  griddle::testing::Host host;
  for (const char* n : {"127", "128", "500", "2048", "2049", "5000"})
    for (const char* bytes : {"¯128+256|7919×⌊1.7×↕", "'a'+26|7919×↕", "@+128+128|7919×↕", "¯1+3|7919×↕", "5×=˜↕"}) {
      CAPTURE(n);
      CAPTURE(bytes);
      CHECK(host(std::string("{(⊐𝕩)≡(⊐<˘𝕩)} ") + bytes + n) == "1");
    }
}
