// Splits rows of packed bits into columns.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct BitColumnKernels {
  // Writes bit c of each row r to bit start + c × stride + r of `to`. Rows of 2 to 64 bits lie one behind the other in `from`;
  // the arrays do not overlap. Gives false, having done nothing, where it has no way for the width.
  bool (*split)(std::uint64_t* to, std::size_t start, std::size_t stride, const std::uint64_t* from, std::size_t width,
                std::size_t rows);
  // Writes one bit of each row from the start of a word on, in whole words of which the last one ends in zeros; rows have 2 to 64
  // bits. Gives false, having done nothing, where it has no way for the width; it has one for 8, 16, 32 and 64.
  bool (*take)(std::uint64_t* to, const std::uint64_t* from, std::size_t width, std::size_t rows, std::size_t column);
};

const BitColumnKernels& bit_columns();

}  // namespace griddle::kernels
