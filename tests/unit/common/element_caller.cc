#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("folds and scans of lists one after the other are those of each list") {
  BothWays ways;
  constexpr const char* lists =
      "(40⥊⟨↕9,⟨⟩,200‿100‿127,\"abc\",40⥊100,5,1e9‿2e9,0.5‿1,0‿1‿1,2‿3⥊↕6,⟨1,\"a\"⟩,33⥊3,17⥊¯5,1000⥊127,⋈7⟩)";
  for (const char* f : {"+`", "⌈`", "-`", "∧`", "≠`", "⊣`", "+´", "⌊´", "{𝕨+𝕩}`"}) {
    ways.agree(std::string("{") + f + "⎊0¨𝕩}" + lists);
    ways.agree(std::string("{") + f + "¨𝕩}40⥊⟨↕9,200‿100‿127,40⥊100,1e9‿2e9,0.5‿1,0‿1‿1,33⥊3,17⥊¯5,1000⥊127,⋈7⟩");
  }
  for (const char* scan : {"+`", "⌈`", "∧`"})
    for (const char* list : {"↕9", "40⥊3‿1", "0.5×↕20", "2|↕70", "100⥊127‿1"})
      // The elements stay as they were, also where a scan may write over its argument.
      ways.agree("l←20⥊⟨" + std::string(list) + ",3‿1‿2,⌽↕5⟩ ⋄ m←" + scan + "¨l ⋄ n←" + scan + "¨l ⋄ l‿m‿n");
}

TEST_CASE("primitives, and such with data, give for one element after the other what each call gives") {
  BothWays ways;
  constexpr const char* elements =
      "(3⥊⟨↕9,200‿100‿127,40⥊100,\"abc\",0.5‿1,0‿1‿1,⟨⟩,\"\",2‿3⥊↕6,5,1e9‿2e9,⟨1,\"a\"⟩,33⥊3,300⥊¯5,⋈7,'c'⟩)";
  for (const char* f : {"⌽", "-", "≠", "1⊸↓", "↑⟜↕⟜4", "3‿1⊸∾", "∾⟜'x'", "∾⟜⟨⟩", "2⊸×", "×⟜0.5", "⟨1,\"b\"⟩⊸∾", "1⊸⌽"}) {
    ways.agree(std::string("{") + f + "⎊0¨𝕩}" + elements);
    ways.agree("l←" + std::string(elements) + " ⋄ m←" + f + "⎊0¨l ⋄ l‿m");
  }
  for (const char* f : {"+", "-", "⌈", "∾", "≍", "⋈", "⊣"}) {
    for (const char* lists :
         {"20⥊⟨↕9,9⥊100,9⥊1e9,9⥊0.5,2|↕9⟩", "⟨5,↕9,9⥊300,7,\"abcdefghi\"-'a'⟩", "(3‿40⥊↕120)∾30000+2‿40⥊↕80"}) {
      ways.agree("{" + std::string(f) + "´𝕩}" + lists);
      ways.agree("{" + std::string(f) + "˝𝕩}" + lists);
      ways.agree("{" + std::string(f) + "`𝕩}" + lists);
      ways.agree("{𝕩" + std::string(f) + "⌜3↑𝕩}" + lists);
    }
  }
  // What grows in a fold grows where it is, and elements stay as they were.
  ways.agree("l←⟨300⥊1,2‿3,400⥊5,⋈7⟩ ⋄ m←∾´l ⋄ l‿m");
}
