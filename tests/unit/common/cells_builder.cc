#include "primitives/common/cells_builder.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

TEST_CASE("cells of growing types are merged in the type that holds all") {
  House h;
  CellsBuilder builder(h.cx, "Test", Shape{3});
  builder.push(h.numbers({0, 1}));
  builder.push(h.numbers({300, 0.5}));
  builder.push(make_string(h.cx.heap, std::string_view("ab")));
  Value result = builder.finish();
  CHECK(same_shape(result.array().shape(), Shape{3, 2}));
  CHECK(result.array().type() == ElementType::boxed);
  CHECK(element(result.array(), 3).number() == 0.5);
  CHECK(element(result.array(), 5).character() == 'b');
}
