#include "runtime/value/shape.h"

#include <doctest/doctest.h>

#include <utility>

using namespace griddle;

TEST_CASE("a short list of lengths keeps them when it grows, moves and is assigned to itself") {
  for (std::size_t n = 0; n < 40; n++) {
    Shape lengths;
    for (std::size_t i = 0; i < n; i++) lengths.push_back(i * i);
    const auto holds_all = [&](const Shape& s) {
      bool same = s.size() == n;
      for (std::size_t i = 0; i < n && same; i++) same = s[i] == i * i;
      return same;
    };
    REQUIRE(holds_all(lengths));
    Shape copy(lengths), longer{1, 2, 3}, shorter;
    shorter.resize(20, 7);
    copy = std::as_const(copy);
    CHECK(holds_all(copy));
    longer = lengths;
    shorter = lengths;
    CHECK(holds_all(longer));
    CHECK(holds_all(shorter));
    Shape& same = copy;
    copy = std::move(same);
    CHECK(holds_all(copy));
    Shape moved(std::move(copy));
    CHECK(holds_all(moved));
    CHECK(copy.empty());
    copy.push_back(5);
    CHECK(copy[0] == 5);
    copy = std::move(moved);
    CHECK(holds_all(copy));
    copy.append(lengths.view());
    CHECK(copy.size() == 2 * n);
    copy.resize(n, 0);
    CHECK(holds_all(copy));
    copy.resize(n + 9, 3);
    CHECK(copy[n + 8] == 3);
  }
}
