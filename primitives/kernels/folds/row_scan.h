// Running results along each row of a table of numbers.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

using RowScan = void (*)(void* out, const void* x, std::size_t columns, std::size_t rows);

// Rows have at least one element, of integers at most `most_columns`. `out` may be x where results have the elements' type.
struct RowScanKernels {
  static constexpr std::size_t most_columns = 127;
  // From here on the sums of one row after the other are sooner there.
  static constexpr std::size_t most_summed = 31;
  // Sums of i8 in i16, of i16 in i32, of i32 in i32, which must fit; of f64 in order.
  RowScan sum[lane_count];
  // Sums that must fit the elements' type: i8, i16.
  RowScan sum_within[2];
  // Sums of i32 in f64; rows of any length.
  RowScan sum_f64;
  // Give elements in their own type.
  RowScan minimum[lane_count], maximum[lane_count];
};

const RowScanKernels& row_scan();

}  // namespace griddle::kernels
