// How threads share the rows that a chain folds. Knows no CUDA; kernels that are made at run time include it.
#pragma once

#include <cstdint>

namespace griddle::cuda {

// So many neighbouring lanes of a block have a row, a power of 2; each has that many elements of it, in runs of so many, which
// are as far apart as the runs of all lanes reach.
struct RowLayout {
  int lanes, items, run, block;
};
constexpr std::uint64_t longest_row = 8192;

constexpr RowLayout layout_of_rows(std::uint64_t length) {
  // Eight elements a lane keep enough bytes on their way; few lanes waste none of what a short row has.
  constexpr int items_of_lane = 8, most_lanes = 512, block = 256;
  int lanes = 2;
  while (lanes < most_lanes && static_cast<std::uint64_t>(lanes) * items_of_lane < length) lanes *= 2;
  // Two at once where no row begins between them.
  const int run = length % 2 == 0 && static_cast<std::uint64_t>(lanes) * 2 <= length ? 2 : 1;
  const std::uint64_t at_once = static_cast<std::uint64_t>(lanes * run);
  const int items = static_cast<int>((length + at_once - 1) / at_once) * run;
  return {lanes, items, run, lanes > block ? lanes : block};
}

// How many neighbouring lanes of a block have neighbouring columns, where columns are folded; the others have other rows.
constexpr int layout_of_columns(std::uint64_t row_length) {
  constexpr int block = 256;
  int lanes = 1;
  while (lanes < block && static_cast<std::uint64_t>(lanes) < row_length) lanes *= 2;
  return lanes;
}

}  // namespace griddle::cuda
