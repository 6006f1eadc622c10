// Folds and scans along the rows of packed boolean tables, many rows at a time.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

enum class RowFunction { and_, or_, exclusive_or, equal, less, less_equal, greater, greater_equal };

struct BoolRowKernels {
  // Fold rows of at least one bit, from the right, to one bit each. `out` overlaps no input.
  void (*fold)(RowFunction, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  // Count the 1s of rows; the counts must fit.
  void (*count_i8)(std::int8_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  void (*count_i16)(std::int16_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  void (*count_f64)(double* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  // Fold rows of at most 64 bits by -. Null where that is no quicker than counting bits, some of which are flipped.
  using Differences = void (*)(std::int8_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows);
  Differences difference_i8;
};

const BoolRowKernels& bool_rows();

struct BoolRowScanKernels {
  // Scan rows of at least one bit, n bits in all, by a conjunction, disjunction or exclusive or; `out` may be the input.
  void (*scan)(RowFunction, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t n);
};

const BoolRowScanKernels& bool_row_scan();

}  // namespace griddle::kernels
