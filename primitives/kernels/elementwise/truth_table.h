// Any function of up to three lists of packed booleans, by its truth table.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

inline constexpr std::size_t most_truth_arguments = 3;

// Writes bit a + 2×b + 4×c of the table for each of n places, where a, b and c are the bits there; bits after the last one are
// unspecified up to a whole word. `out` overlaps nothing. With two arguments, c is not read.
using TruthTable = void (*)(void* out, const void* a, const void* b, const void* c, std::uint8_t table, std::size_t n);

struct TruthTables {
  TruthTable of_two, of_three;
};

const TruthTables& truth_tables();

}  // namespace griddle::kernels
