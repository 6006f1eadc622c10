#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using namespace griddle;

TEST_CASE("few cells are grouped by integers of every width") {
  testing::BothWays ways;
  for (const char* w :
       {"+`1‿0‿0‿1‿0", "1000×0‿0‿0‿0‿0", "¯1‿0‿2‿0‿1+0×200×↕5", "⌊0.5+(↕5)÷2", "0‿1‿1‿0‿1", "5‿4‿3‿2‿1", "200‿1‿0‿3‿1",
        "¯2‿0‿1‿1‿0", "0‿0‿127‿128‿1", "0‿0‿1‿1‿0‿3", "0‿0‿1‿1‿0‿300", "(+`1‿0‿0‿1‿0)∾7", "70000‿0‿0‿0‿0-70000‿0‿0‿0‿0"})
    for (const char* x : {"\"abcde\"", "↕5", "0.5+↕5", "⟨1,\"a\",+,@,2‿3⟩", "1‿0‿0‿1‿1"})
      ways.agree("{(" + std::string(w) + ")⊔" + x + "}⎊•CurrentError@");
}

TEST_CASE("few elements are grouped by bits") {
  testing::BothWays ways;
  for (const char* bits : {"5⥊0", "5⥊1", "1‿0‿0‿1‿0", "64⥊1‿0‿0", "65⥊0‿1", "1‿0‿1‿2", "0⥊0"})
    for (const char* x : {"'a'+", "", "0.5+", "2|", "1000×", "'a'+100000×", "⟨1,\"a\",⟨⟩⟩⊏˜3|"})
      ways.agree("{b←" + std::string(bits) + " ⋄ ⟨b⊔" + x + "↕≠b,b⊔1↓" + x + "↕≠b⟩}⎊•CurrentError@");
  ways.agree("(2|↕6)⊔\"abcabc\" ⋄ ⊑¨(5⥊0)⊔\"abcde\"");
}
