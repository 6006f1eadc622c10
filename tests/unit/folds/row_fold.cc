#include <doctest/doctest.h>

#include <string>

#include "tests/support/both_ways.h"

using griddle::testing::BothWays;

TEST_CASE("each row is folded and scanned on its own") {
  BothWays ways;
  for (const char* f :
       {"+´˘𝕩", "+˝˘𝕩", "+`˘𝕩", "×´˘𝕩", "×˝˘𝕩", "×`˘𝕩", "⌊´˘𝕩", "⌊˝˘𝕩", "⌊`˘𝕩", "⌈´˘𝕩", "⌈˝˘𝕩", "⌈`˘𝕩", "-´˘𝕩", "-˝˘𝕩", "-`˘𝕩"})
    ways.on_tables(f);
}

TEST_CASE("long rows of bits that end just before a vector does are folded to their last bit") {
  griddle::testing::Host host;
  for (const int end : {512, 1024, 1536, 2048})
    for (int columns = end - 8; columns <= end + 1; columns++) {
      const std::string n = std::to_string(columns);
      CAPTURE(n);
      CHECK(host("t←40‿" + n + "⥊3>7|⌊(↕40×" + n + ")×1.7 ⋄ (+´˘t)≡+´¨<˘0+t") == "1");
      CHECK(host("t←40‿" + n + "⥊3>7|⌊(↕40×" + n + ")×1.7 ⋄ (≠´˘t)≡2|+´¨<˘0+t") == "1");
      CHECK(host("t←40‿" + n + "⥊0 ⋄ (∨´˘t∾˘1)≡40⥊1") == "1");
    }
}
