#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("each cell is counted among those before it, and found in turn") {
  BothWays ways;
  for (const char* f : {"⊒𝕩", "𝕩⊒⌽𝕩", "𝕩⊒𝕩∾𝕩"}) ways.on_lists(f);
  for (const char* program : {"⊒3000⥊\"abcab\"", "⊒5000|7919×↕6000", "⊒50‿2⥊3|↕100"}) ways.agree(program);
}

TEST_CASE("each kind of long lists is counted from 0 up") {
  griddle::testing::Host host;
  const std::string counted = "{x←𝕩 ⋄ c←⊒x ⋄ ∧´{(↕∘≠≡⊢)(𝕩=x)/c}¨⍷x}";
  for (const char* n : {"1", "63", "64", "127", "128", "129", "1023", "1024", "1025", "32767", "32768", "32769", "100003"}) {
    const std::string some = std::string(n) + "⥊";
    for (const char* kind : {"0", "1", "0‿1", "1‿0‿0", "((97|7919×↕3000)<40)", "(25|7919×↕1000)"})
      CHECK(host(counted + some + kind) == "1");
  }
  // More of a kind than 16 bits count, in no order.
  for (const char* from : {"0", "'a'", "1000", "1e6"}) CHECK(host(counted + from + "+9|400000 (•MakeRand 3).Range 900") == "1");
}
