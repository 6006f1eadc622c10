// Reductions of one list, and of rows onto each other. Sums of integers are exact; sums of doubles keep BQN's order.
#pragma once

#include <bit>

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct ReduceKernels {
  // Fold elements of each type (sums: at most 2^21 integers, so that doubles hold them).
  Fold fold_sum[lane_f64], fold_minimum[lane_count], fold_maximum[lane_count];
  // Sums i8, i16 or i32 elements.
  std::int64_t (*sum[3])(const void* x, std::size_t n);
  // Write the least and the greatest of n ≥ 1 elements in their own type; NaN where the last is NaN, the others aside.
  void (*minimum[lane_count])(void* out, const void* x, std::size_t n);
  void (*maximum[lane_count])(void* out, const void* x, std::size_t n);
  // Multiplies integers held as doubles, in any order: the product is exact where `size` (the product of all that are not 0,
  // without signs) stays within 2^53. Multiplies onto both.
  void (*product_f64)(const double* x, std::size_t n, double& product, double& size);
};

const ReduceKernels& reduce();

// Extremes of columns are folded in the order of memory where so many vectors make whole rows.
inline constexpr std::size_t most_vectors_in_order = 8;
constexpr std::size_t vectors_of_whole_rows(std::size_t columns, std::size_t lanes) {
  return columns >> std::countr_zero(columns | lanes);
}

// Fold rows of `columns` elements onto each other, the last row first; rows ≥ 1.
struct ReduceColumnKernels {
  using Columns = void (*)(void* out, const void* x, std::size_t rows, std::size_t columns);
  // Sums of i8 and i16 are i32, sums of i32 and f64 are f64 (rows of integers: at most 65536).
  Columns sum[lane_count];
  // Sums i8 to i16; rows ≤ 256.
  Columns sum_i16;
  // Sums i32 to i64; null where there are no wide sums (wide_sums.h).
  Columns wide_sum;
  // Sums i32 to i32; false where a sum on the way does not fit.
  bool (*checked_sum)(std::int32_t* out, const std::int32_t* x, std::size_t rows, std::size_t columns);
  // Fold words of bits.
  struct {
    Columns and_, or_, exclusive_or;
  } words;
  // Give elements in their own type, and leave NaNs aside: where a column has nothing else, an infinity.
  Columns minimum[lane_count], maximum[lane_count];
  // Copies the NaNs of a row, from which a fold begins and which it keeps.
  void (*copy_nans)(double* to, const double* from, std::size_t n);
};

const ReduceColumnKernels& reduce_columns();

}  // namespace griddle::kernels
