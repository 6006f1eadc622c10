#include "gpu/cuda/chains/row_layout.h"

#include <doctest/doctest.h>

TEST_CASE("lanes and their elements hold every row, and only the last element of a lane may be none") {
  for (std::uint64_t length = 1; length <= griddle::cuda::longest_row; length++) {
    const griddle::cuda::RowLayout layout = griddle::cuda::layout_of_rows(length);
    const auto lanes = static_cast<std::uint64_t>(layout.lanes), items = static_cast<std::uint64_t>(layout.items);
    CHECK((lanes & (lanes - 1)) == 0);
    CHECK(lanes * items >= length);
    CHECK(lanes * (items - 1) < length);
    CHECK(layout.items <= 16);
    CHECK(layout.block % layout.lanes == 0);
    CHECK(layout.block <= 512);
  }
}
