#include "gpu/cuda/chains/row_layout.h"

#include <doctest/doctest.h>

TEST_CASE("lanes and their elements hold every row, and only the last run of a lane may be none") {
  for (std::uint64_t length = 1; length <= griddle::cuda::longest_row; length++) {
    const griddle::cuda::RowLayout layout = griddle::cuda::layout_of_rows(length);
    const auto lanes = static_cast<std::uint64_t>(layout.lanes), items = static_cast<std::uint64_t>(layout.items),
               run = static_cast<std::uint64_t>(layout.run);
    CHECK((lanes & (lanes - 1)) == 0);
    CHECK(lanes * items >= length);
    CHECK(lanes * (items - run) < length);
    CHECK((length % run == 0 && items % run == 0));
    CHECK(layout.items <= 16);
    CHECK(layout.block % layout.lanes == 0);
    CHECK(layout.block <= 512);
  }
}

TEST_CASE("lanes that have neighbouring columns are as many as these, rounded up, or a block") {
  using griddle::cuda::layout_of_columns;
  CHECK(layout_of_columns(1) == 1);
  CHECK(layout_of_columns(3) == 4);
  CHECK(layout_of_columns(64) == 64);
  CHECK(layout_of_columns(240) == 256);
  CHECK(layout_of_columns(100000) == 256);
}
