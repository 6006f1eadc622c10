// Any function of bytes, by a table of its 256 results that stays in registers.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// Writes a result for each of n bytes. `out` overlaps neither; bits are written from the start of a word, those after the last
// one are unspecified up to a whole word.
using ByteMap = void (*)(void* out, const void* x, const std::uint8_t* table, std::size_t n);

// By the bytes of results. Null where this processor has no shuffles for such tables.
struct ByteMaps {
  ByteMap to_bits;   // the highest bits of the table
  ByteMap to_bytes;  // one table
  ByteMap to_pairs;  // two bytes each: a table of the lower ones, and one of the higher ones
};

const ByteMaps& byte_maps();

}  // namespace griddle::kernels
