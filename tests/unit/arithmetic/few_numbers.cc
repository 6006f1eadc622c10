// Few numbers are computed as doubles, and give what the functions of two numbers say.
#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("quotients, remainders and functions of one argument are the same for lists and tables of few") {
  BothWays ways;
  for (const char* f :
       {"𝕩÷3", "60÷1+|𝕩", "2|𝕩", "3|𝕩", "¯2|𝕩", "0.5|𝕩", "𝕩|𝕩", "𝕩÷𝕩", "¬𝕩", "-𝕩", "|𝕩", "√|𝕩", "⌊𝕩÷2", "⌈𝕩÷2", "×𝕩", "÷𝕩"}) {
    const std::string guarded = "{" + std::string(f) + "}⎊•CurrentError 𝕩";
    ways.on_lists(guarded);
    ways.on_tables(guarded);
  }
  for (const char* n : {"1", "7", "8", "31", "32", "33", "63", "64", "65", "127", "128", "129", "1000", "600000"})
    for (const char* scale : {"1×", "7×", "700×", "70000×"})
      ways.agree("{⟨+´r,r≡(⌊x÷2)≠x÷2⟩⊣r←2|x←" + std::string(scale) + "(↕" + n + ")-50}⎊•CurrentError@");
}
