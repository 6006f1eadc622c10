#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("values are enclosed, listed and put side by side") {
  BothWays ways;
  for (const char* f : {"<𝕩", "⋈𝕩", "≍𝕩", "𝕩⋈⌽𝕩", "𝕩≍⌽𝕩", "1⋈𝕩"}) ways.on_lists(f);
  for (const char* program : {"≍5", "1≍2", "1≍\"a\"", "1‿2≍3", "⋈\"ab\"", "\"a\"⋈1"}) ways.agree(program);
}

TEST_CASE("lists of boxes become rows, with their fill") {
  BothWays ways;
  for (const char* w : {"⟨\"a\",\"b\"⟩", "⟨1‿2,3‿4⟩", "⟨\"ab\",3⟩", "2↑⟨\"ab\"⟩", "⟨⟨⟩,\"\"⟩", "⟨1‿2‿3,4⟩"})
    for (const char* x : {"⟨\"c\",\"d\"⟩", "⟨5‿6,7⟩", "⟨+,2⟩", "2↑⟨\"cd\"⟩", "⟨1⟩"})
      ways.agree("{r←" + std::string(w) + "≍" + x + " ⋄ ⟨r,3↑r,≍" + w + "⟩}⎊•CurrentError@");
}
