#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/program.h"

using griddle::testing::BothWays;

TEST_CASE("indices are counted") {
  BothWays ways;
  for (const char* program :
       {"/⁼0‿0‿2‿5", "/⁼⟨⟩", "/⁼1‿0", "/⁼2|↕9", "/⁼⌊(↕1000)÷3", "/⁼⟨0‿1,0‿1,1‿0⟩", "/⁼¯1‿0", "/⁼0.5‿1", "/⁼300⥊200"})
    ways.agree(program);
}

TEST_CASE("wider integers are counted as bytes where they fit") {
  griddle::Machinery machine;
  // Kinds on both sides of what bytes hold, numbers on both sides of a block of 8192.
  for (const char* kinds : {"3", "126", "127", "128", "129", "256"})
    for (const char* count : {"100", "257", "8191", "8192", "8193", "20000"})
      for (const char* wide : {"300", "70000"}) {
        const std::string program = std::string("x←1↓") + wide + "∾⌽" + kinds + "|7×↕" + count + " ⋄ (/⁼x)≡+´˘(↕1+⌈´x)=⌜x";
        CAPTURE(program);
        CHECK(machine(program) == "1");
      }
}
