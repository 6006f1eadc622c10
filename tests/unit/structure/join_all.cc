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

TEST_CASE("lists and atoms of one family are joined") {
  griddle::testing::BothWays ways;
  constexpr const char* all[] = {"0",      "300",   "0.5",   "¯1", "'a'",      "'日'", "1‿0‿1", "70⥊1‿0",
                                 "\"ab\"", "300‿2", "⟨0.5⟩", "<5", "\"日本\"", "@",    "+"};
  for (const std::string first : all)
    for (const std::string second : all)
      for (const std::string third : all)
        ways.agree("{r←{∾𝕩}⟨" + first + "," + second + "," + third + "⟩ ⋄ ⟨r,≢r,(2+≠r)↑r⟩}⎊•CurrentError@");
}

TEST_CASE("boxes of several lists and units are joined, with the fill that all have") {
  griddle::testing::BothWays ways;
  constexpr const char* sides[] = {"0",      "'a'",   "<\"ab\"",   "<1‿2",      "⟨\"xy\"⟩",    "⟨⟩",
                                   "\"\"",   "↕3",    "\"ab\"",    "⟨1,\"q\"⟩", "<5",          "⟨+⟩",
                                   "<⟨⟩",    "⟨⟨⟩⟩",  "<<1",       "⟨1‿2,+⟩",   "<⟨+⟩",        "⟨\"ab\",⟨+⟩⟩",
                                   "<2‿2⥊1", "2‿2⥊1", "⟨\"a\",3⟩", "<⟨1,'a'⟩",  "40⥊⟨\"ab\"⟩", "40⥊⟨1,\"ab\"⟩"};
  for (const std::string w : sides)
    for (const std::string x : sides) {
      ways.agree("{r←(" + w + "){𝕨∾𝕩}" + x + " ⋄ ⟨r,≢r,(2+≠r)↑r⟩}⎊•CurrentError@");
      ways.agree("{r←{∾𝕩}⟨" + w + "," + x + "⟩ ⋄ ⟨r,≢r,(2+≠r)↑r⟩}⎊•CurrentError@");
    }
}
