#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a table holds what each pair gives") {
  BothWays ways;
  for (const char* f : {"𝕨+⌜𝕩", "𝕨=⌜𝕩"}) ways.on_pairs(f);
}

TEST_CASE("tables of few columns are made column by column") {
  BothWays ways;
  for (const char* f : {"𝕨+⌜𝕩", "𝕨×⌜𝕩", "𝕨-⌜𝕩", "𝕨÷⌜𝕩", "𝕨⌈⌜𝕩", "𝕨|⌜𝕩", "𝕨≤⌜𝕩"})
    for (const char* w : {"2|↕#", "¯100+#|7×↕#", "¯30000+#|7919×↕#", "1e9+7919×↕#", "0.5×↕#", "'a'+26|↕#"})
      for (const char* x : {"0‿1", "¯1‿0‿1", "¯128+↕4", "100+↕5", "32760+↕8", "2147483640+↕9", "0.5‿2", "\"ab\""})
        for (const char* length : {"31", "33", "64", "130", "5000"}) {
          std::string rows = w;
          for (std::size_t at; (at = rows.find('#')) != rows.npos;) rows.replace(at, 1, length);
          ways.agree("(" + rows + "){" + f + "}⟜(⌽∘⌽)" + x);
        }
}
