// Folds of each row of a table of numbers: as many rows together as a vector has lanes.
#pragma once

#include "primitives/kernels/shared/bounds.h"
#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

using RowFold = void (*)(void* out, const void* x, std::size_t columns, std::size_t rows);

// Rows have at least one element. `out` overlaps no input.
struct RowFoldKernels {
  // Sums of i8 and i16 are i32 (columns ≤ 65536), sums of i32 and f64 are f64 (i32: columns ≤ 2^21). Doubles are summed from the
  // right, one by one.
  RowFold sum[lane_count];
  // Differences, each element less what follows it, in the types of sums.
  RowFold difference[lane_count];
  // Products in f64, from the right, one by one.
  RowFold product[lane_count];
  // Products of integers as i32, and the least and the greatest of them; false where one reaches 2^24, or leaves floats
  // before a 0 comes. What is written then is unspecified.
  bool (*small_product[lane_f64])(std::int32_t* out, const void* x, std::size_t columns, std::size_t rows, Bounds&);
  // Of rows of two i8 (i16), as i16 (i32), by lane.
  void (*pair_sums[2])(void* out, const void* x, std::size_t rows);
  void (*pair_differences[2])(void* out, const void* x, std::size_t rows);
  void (*pair_products[2])(void* out, const void* x, std::size_t rows);
  // Give elements in their own type.
  RowFold minimum[lane_count], maximum[lane_count];
};

const RowFoldKernels& row_fold();

}  // namespace griddle::kernels
