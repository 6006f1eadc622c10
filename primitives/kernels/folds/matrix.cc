#include "primitives/kernels/folds/matrix.h"

#include <algorithm>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace griddle::kernels::HWY_NAMESPACE {
namespace matrix_unit {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
constexpr std::size_t lanes = hn::MaxLanes(D());
constexpr std::size_t width = 2 * lanes;  // of a panel

void pack(double* panel, const double* from, std::size_t stride, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; r++, panel += width, from += stride) {
    std::copy_n(from, columns, panel);
    std::fill_n(panel + columns, width - columns, 0.0);
  }
}

// Multiplies and adds apart: a fused product would be rounded once where BQN rounds twice.
template <std::size_t rows>
void multiply_rows(double* to, std::size_t stride, const double* left, std::size_t inner, const double* panel,
                   std::size_t columns) {
  const D d;
  hn::Vec<D> first[rows], second[rows];
  const double* right = panel + (inner - 1) * width;
  {
    const auto b0 = hn::LoadU(d, right), b1 = hn::LoadU(d, right + lanes);
    for (std::size_t r = 0; r < rows; r++) {
      const auto a = hn::Set(d, left[r * inner + inner - 1]);
      first[r] = hn::Mul(a, b0);
      second[r] = hn::Mul(a, b1);
    }
  }
  for (std::size_t k = inner - 1; k-- > 0;) {
    right -= width;
    const auto b0 = hn::LoadU(d, right), b1 = hn::LoadU(d, right + lanes);
    for (std::size_t r = 0; r < rows; r++) {
      const auto a = hn::Set(d, left[r * inner + k]);
      first[r] = hn::Add(hn::Mul(a, b0), first[r]);
      second[r] = hn::Add(hn::Mul(a, b1), second[r]);
    }
  }
  for (std::size_t r = 0; r < rows; r++, to += stride) {
    if (columns == width) {
      hn::StoreU(first[r], d, to);
      hn::StoreU(second[r], d, to + lanes);
    } else {
      double whole[width];
      hn::StoreU(first[r], d, whole);
      hn::StoreU(second[r], d, whole + lanes);
      std::copy_n(whole, columns, to);
    }
  }
}

void multiply(double* to, std::size_t stride, const double* left, std::size_t rows, std::size_t inner, const double* panel,
              std::size_t columns) {
  constexpr std::size_t together = 4;
  std::size_t r = 0;
  for (; r + together <= rows; r += together)
    multiply_rows<together>(to + r * stride, stride, left + r * inner, inner, panel, columns);
  for (; r < rows; r++) multiply_rows<1>(to + r * stride, stride, left + r * inner, inner, panel, columns);
}

const MatrixKernels* matrix_table() {
  static constexpr MatrixKernels kernels = {width, pack, multiply};
  return &kernels;
}

}  // namespace
}  // namespace matrix_unit
using matrix_unit::matrix_table;
}  // namespace griddle::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace griddle::kernels {
HWY_EXPORT(matrix_table);
const MatrixKernels& matrix() { return *HWY_DYNAMIC_DISPATCH(matrix_table)(); }
}  // namespace griddle::kernels
#endif
