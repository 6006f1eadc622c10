// Combines packed boolean tables with bits that stand at the same places of every row, or of every other row.
#pragma once

#include "primitives/kernels/booleans/row_bit_words.h"

namespace griddle::kernels {

struct RowBitKernels {
  // Take n bits in rows of `columns` ≥ 1; `out` may be the input. Bits beyond n are unspecified.
  using Combine = void (*)(RowBits, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t n);
  Combine flip, keep;
  // Replaces words: where those of `differ` have a 0 by bits of `zero`, else by their own bits or, where `zero` has a 1, by the
  // complement. Both have `period` words, which repeat.
  void (*choose)(std::uint64_t* words, std::size_t count, const std::uint64_t* zero, const std::uint64_t* differ,
                 std::size_t period);
};

const RowBitKernels& row_bits();

}  // namespace griddle::kernels
