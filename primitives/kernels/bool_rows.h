// Folds and scans along the rows of packed boolean tables, all rows of a word at once.
#pragma once

#include "primitives/kernels/kernel.h"

namespace griddle::kernels {

enum class RowFunction { and_, or_, exclusive_or };

struct BoolRowKernels {
  // Scan rows of 1 to 64 bits, n bits in all; `out` may be the input.
  void (*scan)(RowFunction, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t n);
  // Fold rows of 1 to 64 bits to one bit each. `out` overlaps no input.
  void (*fold)(RowFunction, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  // Count the 1s of rows of any length; the counts must fit.
  void (*count_i8)(std::int8_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  void (*count_i16)(std::int16_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  void (*count_f64)(double* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
};

const BoolRowKernels& bool_rows();

}  // namespace griddle::kernels
