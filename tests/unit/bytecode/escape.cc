#include "runtime/bytecode/escape.h"

#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("closed blocks are made once") {
  CHECK(!compiles_to("{F←{𝕩+1} ⋄ F 𝕩}", "closure"));
  CHECK(compiles_to("{k←𝕩 ⋄ {𝕩+k}}", "closure"));
}

TEST_CASE("each evaluation of a block that programs compare makes another value") {
  Machinery m;
  CHECK(m("Make←{𝕊: {𝕩+1}} ⋄ (Make 0)≡Make 0") == "0");
  CHECK(m("F←{𝕩+1} ⋄ f≡f") == "1");
  CHECK(m("{F←{𝕩+1} ⋄ F 𝕩}¨1‿2") == "⟨ 2 3 ⟩");
}
