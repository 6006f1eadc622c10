#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("comparisons give the same for every pair of types") {
  BothWays ways;
  for (const char* f : {"𝕨=𝕩", "𝕨≠𝕩", "𝕨<𝕩", "𝕨>𝕩", "𝕨≤𝕩", "𝕨≥𝕩"}) ways.on_pairs(f);
}

TEST_CASE("bits meet other numbers in pieces") {
  BothWays ways;
  for (const char* numbers : {"3|↕𝕩", "¯1+3|↕𝕩", "300×2|↕𝕩", "70000×2|↕𝕩", "0.5×3|↕𝕩", "-0×↕𝕩"})
    for (const char* f : {"=", "≠", "<", ">", "≤", "≥"})
      ways.agree(std::string("{𝕊: b←0=2|⌊(↕𝕩)÷3 ⋄ n←") + numbers + " ⋄ ⟨b" + f + "n, n" + f +
                 "b⟩}¨1‿63‿64‿65‿1023‿1024‿1025‿2500");
}
