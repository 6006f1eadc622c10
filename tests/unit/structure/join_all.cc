#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

TEST_CASE("lists are joined over what holds nothing") {
  griddle::testing::BothWays ways;
  for (const char* first : {"⟨⟩", "↕0", "\"\"", "⟨1⟩", "\"a\"", "⟨300,2⟩", "⟨\"a\"⟩", "1", "0↑⟨\"ab\"⟩", "1‿0‿1"})
    for (const char* second : {"⟨⟩", "↕0", "\"\"", "⟨0.5⟩", "\"日\"", "⟨⟨⟩⟩", "0‿2⥊0"})
      for (const char* third : {"⟨⟩", "⟨1,2⟩", "\"bc\"", "0↑⟨1‿2⟩"})
        ways.agree("{r←∾⟨" + std::string(first) + "," + second + "," + third + "⟩ ⋄ ⟨r,≢r,(2+≠r)↑r⟩}⎊•CurrentError@");
  for (const char* none : {"0↑⟨\"ab\"⟩", "0↑⟨1‿2⟩", "0⥊⟨\"ab\"⟩", "⟨⟩", "0↑⟨⟨\"a\"⟩⟩", "0↑⟨2‿2⥊1⟩", "0↑<3", "\"\""})
    ways.agree("{r←∾" + std::string(none) + " ⋄ ⟨r,≢r,2↑r⟩}⎊•CurrentError@");
  ways.agree("∾{2|𝕩?⟨𝕩⟩;⟨⟩}¨↕90");
}
