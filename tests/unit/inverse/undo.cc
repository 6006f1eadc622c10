#include "primitives/inverse/undo.h"

#include <doctest/doctest.h>

#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

TEST_CASE("native functions are undone by the codes in their state") {
  House h;
  auto codes = make_native<UndoCodes>(h.cx.heap);
  codes->undo = [](Context&, const Function&, Value x) { return Value(x.number() - 1); };
  Value f = make_native_function(h.cx.heap, "•test", increment, no_dyad, Ref<NativeObject>(codes.leak()));
  CHECK(undo_call(h.cx, f, Value(5)).number() == 4);
  CHECK_THROWS_AS(undo_call(h.cx, f, Value(1), Value(5)), Error);
  CHECK(call(h.cx, h.with(h.with(f, U'∘', h.glyph(U'-')), U'⁼'), Value(5)).number() == -4);
}
