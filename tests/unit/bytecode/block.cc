#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("a block has an entry for each way to call it") {
  Machinery m;
  CHECK(m("F←{𝕊𝕩:\"one\";𝕨𝕊𝕩:\"two\"} ⋄ (F 0)‿(0 F 0)") == "⟨ \"one\" \"two\" ⟩");
  CHECK(m("F←{𝕊⁼𝕩:𝕩-1;𝕨𝕊⁼𝕩:𝕩-𝕨;𝕩+1} ⋄ (F⁼5)‿(2 F⁼5)‿(F 5)") == "⟨ 4 3 6 ⟩");
  CHECK(m("{w𝕊x:1}5").substr(0, 1) == "!");
}

TEST_CASE("arguments are bound by their patterns, and the next body sees them whole") {
  Machinery m;
  CHECK(m("{⟨a,b⟩:a-b;[a,b]:b;𝕩}¨⟨5‿3,\"abc\",9⟩") == "⟨ 2 \"abc\" 9 ⟩");
  CHECK(m("{0‿x:x;x‿0:-x;\"no\"}¨⟨0‿4,4‿0,1‿1⟩") == "⟨ 4 ¯4 \"no\" ⟩");
  CHECK(m("{\"key\":1;'k':2;3}¨⟨\"key\",'k',\"k\"⟩") == "⟨ 1 2 3 ⟩");
}

TEST_CASE("what a body exports is a namespace") {
  Machinery m;
  CHECK(m("n←{a⇐1 ⋄ b←2 ⋄ C⇐{b+𝕩}} ⋄ n.a‿(n.C 5)") == "⟨ 1 7 ⟩");
  CHECK(m("{a⇐1 ⋄ b←2}.b").substr(0, 1) == "!");
}
