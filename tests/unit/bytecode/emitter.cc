#include "runtime/bytecode/emitter.h"

#include <doctest/doctest.h>

#include "tests/support/listing.h"

using namespace griddle;
using namespace griddle::testing;

TEST_CASE("variables are consumed at their last use") {
  CHECK(compiles_to("{a←𝕩⌽↕9 ⋄ b←⌽a ⋄ b∾b}", "consumes c"));
  CHECK(compiles_to("{a←⌽𝕩 ⋄ a+↩1 ⋄ a}", "modifies"));
}

TEST_CASE("a slot that a loop reads again is not consumed in it") {
  Machinery m;
  CHECK(m("{a←⌽𝕩 ⋄ {𝕩∾≠a}⍟3 ⟨⟩}1‿2") == "⟨ 2 2 2 ⟩");
  CHECK(m("{a←⌽𝕩 ⋄ b←⌽a ⋄ a∾b}1‿2") == "⟨ 2 1 1 2 ⟩");
}
