// Grades as the order of values says, slowly.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "primitives/functions.h"
#include "primitives/order/order.h"
#include "tests/support/cell_samples.h"

namespace griddle::test {

inline std::vector<std::size_t> model_grade(CellSamples& s, const Value& x, bool down) {
  primitives::Ordering order(s.cx, "model");
  std::vector<Value> cells = s.cells(x);
  std::vector<std::size_t> places(cells.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t i, std::size_t j) {
    int c = order.compare(cells[i], cells[j]);
    return down ? c > 0 : c < 0;
  });
  return places;
}

}  // namespace griddle::test
