#include <doctest/doctest.h>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("a place meets lists of one kind after another, and of other lengths") {
  BothWays ways;
  for (const char* program : {"F←{𝕩+1}⋄F¨⟨↕5,↕6,0.5×↕5,100+↕5,\"abc\",2|↕70,↕5,3,⟨1,⟨2⟩⟩,127⥊127,↕5⟩",
                              "F←{𝕨×𝕩}⋄a←⟨↕5,5⥊200,0.5×↕5,2|↕5,5⥊30000,↕5⟩⋄a F¨⌽a", "F←{-𝕩}⋄F¨⟨↕9,9⥊¯128,↕9,0.5×↕9,9⥊\"a\"⟩",
                              "F←{𝕩='b'}⋄F¨⟨\"abc\",\"ab\",\"日b\",1‿2,\"abc\"⟩", "F←{+´𝕩}⋄F¨⟨↕9,↕10,100⥊100,0.5×↕9,2|↕80,↕9⟩"})
    ways.agree(program);
}

TEST_CASE("a place meets tables of one kind after another, and of other shapes") {
  BothWays ways;
  for (const char* program :
       {"F←{𝕩+1}⋄F¨⟨2‿3⥊↕6,3‿2⥊↕6,2‿3⥊↕6,0.5×2‿3⥊↕6,100+5‿5⥊↕27,2‿3⥊\"abc\",9‿9⥊2|↕7,0‿3⥊0,2‿2‿2⥊↕8,2‿3⥊127,2‿3⥊↕6⟩",
        "F←{𝕨×𝕩}⋄a←⟨2‿3⥊↕6,2‿3⥊200,0.5×2‿3⥊↕6,2‿3⥊0‿1,2‿3⥊30000,2‿3⥊↕6⟩⋄a F¨⌽a",
        "F←{𝕨-𝕩}⋄(↕6)F¨⟨2‿3⥊↕6,2‿3⥊¯128,2‿3⥊↕6,0.5×2‿3⥊↕6,0.5×3‿2⥊↕6,2‿3⥊0‿1⟩",
        "F←{𝕨≤𝕩}⋄⟨3‿2⥊↕6,3‿2⥊↕6,3‿2⥊↕6,↕3⟩F¨⟨3‿2⥊3,3‿2⥊↕6,3‿2⥊0.5,3‿2⥊↕6⟩", "F←{𝕨+𝕩}⋄0.5‿1‿2‿300‿(-0)‿(1e10)F¨<3‿2⥊↕6",
        "F←{𝕨+𝕩}⋄0.5‿1‿2‿300F¨<3‿2⥊0.5"})
    ways.agree(program);
}

TEST_CASE("bits meet one number after the other") {
  griddle::testing::BothWays ways;
  for (const char* f : {"𝕩+b", "b+𝕩", "𝕩-b", "b-𝕩", "𝕩×b", "𝕩⌈b", "b÷𝕩", "𝕩⋆b"})
    ways.agree(std::string("{b←5⥊0‿1‿1 ⋄ {") + f + "}¨⟨3,4,0,1,¯7,127,128,300,0.5,3,2,'a',3⟩}⎊•CurrentError@");
  ways.agree("{b←70⥊0‿1‿1 ⋄ {𝕩+b}¨⟨3,4,0,1,¯7,127,128,300,0.5,3,2,3⟩}@");
}
