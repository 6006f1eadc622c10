// Other ways to draw by products than draw_products.h, as published for graphics processors (Steele, Tristan: Using
// butterfly-patterned partial sums to draw from discrete distributions, 2015): to compare them, and for who wants one by name.
#pragma once

#include "primitives/kernels/random/draw_products.h"

namespace griddle::kernels {

// So many draws are made together, whatever vectors a target has, so that each gives the same sums.
inline constexpr std::size_t draws_together = 8;

struct DrawMethodKernels {
  // Writes the place of each draw: the first up to which the sum of products is above the fraction times the whole sum. `table`
  // has room for draws_together × length numbers. Gives how many it drew, as DrawProductKernels::draw does.
  using Draw = std::size_t (*)(std::int32_t* places, const ProductDraws&, double* table);

  // All sums of a draw from the left, one after the other, and a search along them; the same, which halves what is left. The
  // first reads the products of a draw one by one, as does the second. `transposed` reads those of 8 draws in squares of 8
  // products of each, the first of which follow what rows have over a multiple of 8. All three have the same sums, and draw the
  // same places.
  Draw prefix_linear, prefix_binary, transposed;
  // Replaces squares of 8 products of 8 draws by sums over 1, 2, 4 and 8 of them, in as many steps as 8 has halves, and adds up
  // what the search needs. In the table, number d×8+r of a square is the sum of the products of draw (d without the bits of m) +
  // (r's bits in m) over the places v to v+m÷2 of it, where m is d^d+1 and v is r without the bits of m÷2; but the last row has
  // the sums of each draw from the left up to there. Where rounding leads to a product of 0, the next one to the left in the
  // square is taken that is not, else that to the right.
  Draw butterfly;
};

const DrawMethodKernels& draw_methods();

}  // namespace griddle::kernels
