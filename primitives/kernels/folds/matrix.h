// Products of matrices of doubles: sums of products, each in BQN's order from the last to the first, in registers.
#pragma once

#include <cstddef>

namespace griddle::kernels {

struct MatrixKernels {
  // Columns that are computed together: a panel holds so many of each row.
  std::size_t panel_columns;
  // Copies `columns` ≤ panel_columns columns of `rows` rows, `stride` elements apart, into a panel; the rest of it becomes 0.
  void (*pack)(double* panel, const double* from, std::size_t stride, std::size_t rows, std::size_t columns);
  // Multiplies `rows` rows of `inner` ≥ 1 elements with a panel of `inner` rows. Writes `columns` results for each, rows of which
  // are `stride` elements apart.
  void (*multiply)(double* to, std::size_t stride, const double* rows_of, std::size_t rows, std::size_t inner,
                   const double* panel, std::size_t columns);
};

const MatrixKernels& matrix();

}  // namespace griddle::kernels
