#include <doctest/doctest.h>

#include "primitives/inverse/undo.h"
#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

TEST_CASE("under changes an unshared list in place") {
  House h;
  Value pick_second = h.with(Value(1), U'⊸', h.glyph(U'⊑'));
  Value under = h.with(h.native(increment), U'⌾', pick_second);
  Value x = h.numbers({100, 50, 7});
  const Array* before = &x.array();
  Value result = call(h.cx, under, std::move(x));
  CHECK(&result.array() == before);
  CHECK(h.shown(result) == "⟨ 100 51 7 ⟩");
}

TEST_CASE("under leaves a shared list alone") {
  House h;
  Value pick_second = h.with(Value(1), U'⊸', h.glyph(U'⊑'));
  Value under = h.with(h.native(increment), U'⌾', pick_second);
  Value x = h.numbers({100, 50, 7});
  CHECK(h.shown(call(h.cx, under, x)) == "⟨ 100 51 7 ⟩");
  CHECK(h.shown(x) == "⟨ 100 50 7 ⟩");
}
