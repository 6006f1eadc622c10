#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("results take the narrowest type and the fill that arguments have") {
  BothWays ways;
  for (const char* program :
       {"•internal.Type +˝200‿3⥊100000", "»+`(1↓<⟨⟩)∾↕3", "⊑»+˝2‿3⥊↕6", "»˘+`˘2‿3⥊↕6", "1↑0↑+`↕5", "5↑≠`1‿0‿1"})
    ways.agree(program);
}
