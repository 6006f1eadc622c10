// Draws from many distributions at once, whose weights are products: of a row of one table and a row of another, place by place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

struct ProductDraws {
  // Tables of weights, all finite and at least 0, with `length` ≥ 1 of them in each row.
  const double *first, *second;
  std::size_t length;
  // For each draw, a row of each table and a fraction from 0 to below 1.
  const std::int32_t *first_rows, *second_rows;
  const double* fractions;
  std::size_t count;
};

// Sums of 8 numbers are ((0+4)+(1+5))+((2+6)+(3+7)), so that vectors of any length give the same. Rows consist of pieces of 8 and
// of blocks of 64; what is missing of the last ones is 0. The sum of a block of several is that of 8 numbers, each summed over
// its pieces from the left; where there is one block, sums of pieces stand for sums of blocks.
inline constexpr std::size_t numbers_in_piece = 8, numbers_in_block = 64;

struct DrawProductKernels {
  // Writes the place of each draw. `wanted` is the fraction times the sum of the blocks, from the left. The first block up to
  // which the sum is above it is taken, in that the first such piece, in that the first such product, each sum going on from the
  // one before; where rounding leaves none, the last above 0. `sums` has room for a number for each block. Gives how many it
  // drew: all, or as many as come before the first draw whose products have a sum that is 0 or infinite.
  std::size_t (*draw)(std::int32_t* places, const ProductDraws&, double* sums);
  // Gives the place of the first of n numbers that is no weight, being negative, infinite or no number; n if all are.
  std::size_t (*first_no_weight)(const double* numbers, std::size_t n);
};

const DrawProductKernels& draw_products();

}  // namespace griddle::kernels
