// Combines packed boolean tables with bits that stand at the same places of every row, or of every other row.
#pragma once

#include "primitives/kernels/booleans/row_bit_words.h"

namespace griddle::kernels {

struct RowBitKernels {
  // Take n bits in rows of `columns` ≥ 1; `out` may be the input. Bits beyond n are unspecified.
  using Combine = void (*)(RowBits, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t n);
  Combine flip, keep;
};

const RowBitKernels& row_bits();

}  // namespace griddle::kernels
