#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("folds and scans of any function go from the end that they should") {
  BothWays ways;
  for (const char* f : {"{𝕨⋈𝕩}´3↑𝕩", "{⟨𝕩,𝕨⟩}`4↑𝕩", "∾´⋈¨𝕩", "3 {𝕨∾𝕩}´𝕩"}) ways.on_lists(f);
  for (const char* program : {"+´⟨⟩", "⌊´⟨⟩", "×˝0‿3⥊0", "{𝕩}´⟨⟩", "5-´1‿2", "+`3‿0⥊0", "1‿2+`2‿2⥊↕4", "{𝕨+𝕩}`3‿2⥊↕6"})
    ways.agree(program);
}

TEST_CASE("folds run from the right") {
  BothWays ways;
  for (const char* f :
       {"+´𝕩", "×´𝕩", "⌊´𝕩", "⌈´𝕩", "∧´𝕩", "∨´𝕩", "=´𝕩", "÷´𝕩", "2-´𝕩", "0<´𝕩", "7×´𝕩", "3⌊´𝕩", "≠´𝕩", "<´𝕩", ">´𝕩", "-´𝕩"})
    ways.on_lists(f);
  for (const char* program : {"-´0.1×↕100", "+´0.1×↕1000", "×´1+↕20", "+´100⥊2⋆53", "-´2|↕1001"}) ways.agree(program);
}

TEST_CASE("sums of ranges need no range") {
  BothWays ways;
  for (const char* program : {"+´⟜↕10", "5+´⟜↕10", "0.5+´⟜↕4", "{+´∘↕𝕩}100", "+´∘↕¨0‿1‿7", "+´∘↕2‿3"}) ways.agree(program);
}

TEST_CASE("functions that give an argument back take one end") {
  BothWays ways;
  for (const char* f : {"⊣´𝕩", "⊢´𝕩", "⊣`𝕩", "⊢`𝕩", "⊣˝𝕩", "⊢˝𝕩", "⊢∘⊣´𝕩", "⊣∘⊢`𝕩", "3⊣´𝕩", "3⊢´𝕩"}) ways.on_lists(f);
  for (const char* f : {"⊣˝𝕩", "⊢˝𝕩", "⊣`𝕩", "⊢`𝕩"}) ways.on_tables(f);
}
