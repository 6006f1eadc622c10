// Folds of each row of a table of numbers: as many rows together as a vector has lanes.
#pragma once

#include "primitives/kernels/kernel.h"

namespace griddle::kernels {

using RowFold = void (*)(void* out, const void* x, std::size_t columns, std::size_t rows);

// Rows have at least one element. `out` overlaps no input.
struct RowFoldKernels {
  // Products of more integers could be infinite.
  template <class T>
  static constexpr std::size_t most_factors = 1023 / (8 * sizeof(T) - 1);
  // Sums of i8 and i16 are i32 (columns ≤ 65536), sums of i32 and f64 are f64 (i32: columns ≤ 2^21). Doubles are summed from the
  // right, one by one.
  RowFold sum[lane_count];
  // Differences, each element less what follows it, in the types of sums.
  RowFold difference[lane_count];
  // Products in f64, from the right, one by one.
  RowFold product[lane_count];
  // Give elements in their own type.
  RowFold minimum[lane_count], maximum[lane_count];
};

const RowFoldKernels& row_fold();

}  // namespace griddle::kernels
