#include "runtime/bytecode/left_argument.h"

#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("where a block is called with two arguments, its left argument is no question") {
  const auto asks = [](const char* source) { return compiles_to(source, "check") || compiles_to(source, "call_maybe"); };
  CHECK(asks("{a←𝕨 ⋄ a+𝕩}"));
  CHECK(!asks("{1{a←𝕨 ⋄ a+𝕩}𝕩}"));
  CHECK(!asks("{y←𝕩 ⋄ {a←𝕨 ⋄ y+a-𝕩}´𝕩}"));
  CHECK(!asks("{y←𝕩 ⋄ ⌽𝕩{y-↩3×𝕨 ⋄ 𝕩}¨𝕩 ⋄ y}"));
  CHECK(asks("{y←𝕩 ⋄ {y-↩3×𝕨 ⋄ 𝕩}¨𝕩 ⋄ y}"));
}

TEST_CASE("blocks mean the same with one argument and with two") {
  Machinery m;
  CHECK(m("F←{𝕨-𝕩} ⋄ ⟨F 3,2 F 3⟩") == "⟨ ¯3 ¯1 ⟩");
  CHECK(m("{{𝕨-𝕩}𝕩}3") == "¯3");
  CHECK(m("2{𝕨{𝕨-𝕩}𝕩}3") == "¯1");
  CHECK(m("{𝕨{𝕨-𝕩}𝕩}3") == "¯3");
  CHECK(m("{𝕨{a←𝕨 ⋄ a-𝕩}𝕩}⎊0 3") == "0");
  CHECK(m("{𝕨∾𝕩}´⟨1‿2,3,4⟩") == "⟨ 1 2 3 4 ⟩");
  CHECK(m("y←10 ⋄ 1‿2{y-↩3×𝕨 ⋄ 𝕩}¨3‿4 ⋄ y") == "1");
  CHECK(m("{(𝕨-⊢)𝕩}´3‿4") == "¯1");
}
