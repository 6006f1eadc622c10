#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a primitive does to all cells what it does to each one") {
  BothWays ways;
  for (const char* function :
       {"⌽˘𝕩", "⍉˘𝕩", "<˘𝕩", "2↑˘𝕩", "¯2↓˘𝕩", "»˘𝕩", "«˘𝕩",  "(1⊸»)˘𝕩", "≠˘𝕩", "=˘𝕩",  "≡˘𝕩",       "≍˘𝕩",
        "⥊˘𝕩", "∧˘𝕩", "∨˘𝕩", "⍋˘𝕩",  "⍒˘𝕩",   "⊏˘𝕩", "+´˘𝕩", "⌈´˘𝕩",    "⊢˘𝕩", "3↑˘𝕩", "(0‿2⊸⊏)˘𝕩", "2↕˘𝕩"})
    ways.on_tables(function);
  for (const char* program : {"⍉˘2‿3‿4⥊↕24", "⌽⎉2 2‿3‿4⥊↕24", "<⎉1 2‿3‿4⥊↕24", "(0‿3⊸⊏)˘2‿3⥊↕6", "7↑˘2‿3⥊↕6", "\"a\"»˘2‿3⥊↕6",
                              "∧˘2‿2⥊⟨1,@,+,2⟩", "(2⊸↓)˘20‿7⥊2|↕140", "»˘20‿7⥊2|↕140"})
    ways.agree(program);
}
