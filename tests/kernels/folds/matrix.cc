#include "primitives/kernels/folds/matrix.h"

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("products of matrices are summed from the last to the first") {
  on_every_target([] {
    Random random;
    const MatrixKernels& kernels = matrix();
    for (const std::size_t rows : {1, 3, 4, 9})
      for (const std::size_t inner : {1, 2, 7, 40})
        for (std::size_t columns = 1; columns <= kernels.panel_columns; columns++) {
          const Elements<double> a(random, rows * inner, 0, false), b(random, inner * columns, 1, false);
          std::vector<double> panel(inner * kernels.panel_columns);
          Guarded<double> products(rows * columns, 1);
          kernels.pack(panel.data(), b.start, columns, inner, columns);
          kernels.multiply(products.start(), columns, a.start, rows, inner, panel.data(), columns);
          bool correct = true;
          for (std::size_t r = 0; r < rows; r++)
            for (std::size_t c = 0; c < columns; c++) {
              double sum = a.start[r * inner + inner - 1] * b.start[(inner - 1) * columns + c];
              for (std::size_t k = inner - 1; k-- > 0;) sum = a.start[r * inner + k] * b.start[k * columns + c] + sum;
              correct &= same(products.start()[r * columns + c], sum);
            }
          CHECK(correct);
          CHECK(products.kept_outside(rows * columns));
        }
  });
}
