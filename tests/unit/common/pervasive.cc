#include "primitives/common/pervasive.h"

#include <doctest/doctest.h>

#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

TEST_CASE("pervasive functions are recognised through combinators") {
  House h;
  Value twice = h.with(Value(2), U'⊸', h.glyph(U'×'));
  CHECK(is_pervasive(h.glyph(U'-')));
  CHECK(is_pervasive(twice));
  CHECK(is_pervasive(make_fork(h.cx, Value(1), h.glyph(U'+'), Value(twice))));
  CHECK(is_pervasive(h.with(h.glyph(U'+'), U'˜')));
  CHECK(is_pervasive_dyad(h.with(h.glyph(U'-'), U'○', h.glyph(U'|'))));
  CHECK_FALSE(is_pervasive(h.glyph(U'≠')));
  CHECK_FALSE(is_pervasive_dyad(h.glyph(U'⊣')));
  CHECK_FALSE(is_pervasive(h.with(Value(5), U'˙')));
  CHECK_FALSE(is_pervasive(h.with(h.numbers({1, 2}), U'⊸', h.glyph(U'+'))));
  CHECK_FALSE(is_pervasive(h.with(h.glyph(U'-'), U'¨')));
}
