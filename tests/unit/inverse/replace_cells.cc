#include "primitives/inverse/replace_cells.h"

#include <doctest/doctest.h>

#include <vector>

#include "primitives/inverse/undo.h"
#include "tests/support/house.h"

using namespace griddle;
using namespace griddle::primitives;
using namespace griddle::testing;

TEST_CASE("replacing cells checks places named twice") {
  House h;
  std::vector<std::size_t> places{1, 1};
  CHECK(h.shown(replace_cells(h.cx, h.numbers({1, 2, 3}), 1, places, h.numbers({9, 9}))) == "⟨ 1 9 3 ⟩");
  CHECK_THROWS_AS(replace_cells(h.cx, h.numbers({1, 2, 3}), 1, places, h.numbers({8, 9})), Error);
}
