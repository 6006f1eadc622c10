// What is done to the rows of a table at once is what is done to one row after the other.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

TEST_CASE("rows are cut, rotated and thinned out with one argument for all") {
  griddle::testing::BothWays ways;
  for (const char* f : {"1↓˘𝕩",
                        "¯1↓˘𝕩",
                        "2↑˘𝕩",
                        "¯2↑˘𝕩",
                        "9↑˘𝕩",
                        "0↑˘𝕩",
                        "9↓˘𝕩",
                        "1⌽˘𝕩",
                        "¯2⌽˘𝕩",
                        "0⌽˘𝕩",
                        "100⌽˘𝕩",
                        "(1⊸↓)˘𝕩",
                        "2⊸⌽˘𝕩",
                        "(2|↕¯1⊑≢𝕩)⊸/˘𝕩",
                        "((¯1⊑≢𝕩)⥊0)⊸/˘𝕩",
                        "((¯1⊑≢𝕩)⥊1)⊸/˘𝕩",
                        "(3|↕¯1⊑≢𝕩)⊸/˘𝕩",
                        "1‿0⊸/˘𝕩",
                        "2/˘𝕩",
                        "0⊏˘𝕩",
                        "0‿0⊸⊏˘𝕩",
                        "¯1⊑˘𝕩",
                        "5⊸»˘𝕩",
                        "1‿1⊸↓˘𝕩",
                        "1‿1‿1⊸↓˘𝕩",
                        "1‿2⊸⌽˘𝕩",
                        "1‿2⌽˘𝕩",
                        "0.5⊸⌽˘𝕩",
                        "'a'⊸⌽˘𝕩",
                        "7⊏˘𝕩"})
    ways.on_tables("{" + std::string(f) + "}⎊@ 𝕩");
  for (const char* program : {"(64⥊0‿1‿1)⊸/˘3‿64⥊↕192", "(65⥊0‿1‿1)⊸/˘3‿65⥊↕195", "1↓˘40‿50⥊↕2000", "1⌽˘40‿50⥊'a'+26|↕2000",
                              "1↓˘3‿70⥊0‿1‿1", "3⌽˘3‿70⥊0‿1‿1", "(2↕≢\"ab\")⊸↓˘2‿2⥊↕4"})
    ways.agree("{" + std::string(program) + "}⎊•CurrentError@");
}
