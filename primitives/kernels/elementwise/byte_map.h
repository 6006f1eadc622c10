// Functions of bytes: any, by a table of its 256 results that stays in registers, or those of a few steps.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// Writes a result for each of n bytes. `out` overlaps neither; bits are written from the start of a word, those after the last
// one are unspecified up to a whole word.
using ByteMap = void (*)(void* out, const void* x, const std::uint8_t* table, std::size_t n);

// A function of bytes that changes at a few places only: of bytes as numbers with a sign, in their order, it begins with `first`,
// and with the byte itself added to that if `keep` has all bits; at each place something is added. To bits, each place changes
// them.
struct ByteSteps {
  static constexpr std::size_t most = 8;
  std::uint8_t keep, first, count;
  std::uint8_t until[most];  // the last byte before the place; from `count` on the greatest byte, and 0 is added
  std::uint8_t added[most];

  // Finds those of a table. False where there are more than `at_most`.
  bool find(const std::uint8_t* table, bool to_bits, std::size_t at_most);
};

// By the bytes of results. Where this processor has no shuffles for such tables, the kernels read ByteSteps in place of one.
struct ByteMaps {
  ByteMap to_bits;   // the highest bits of the table
  ByteMap to_bytes;  // one table
  ByteMap to_pairs;  // two bytes each: a table of the lower ones, and one of the higher ones; null where there are steps
  bool by_steps;
};

const ByteMaps& byte_maps();

}  // namespace griddle::kernels
