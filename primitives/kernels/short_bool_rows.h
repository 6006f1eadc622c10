// Folds of boolean rows shorter than a word, whole registers at a time: results appear at the last bits of rows, of which each
// place of a register has one in as many registers as the odd factor of the width says (modular_permutation.h).
#pragma once

#include "primitives/kernels/bool_rows.h"

namespace griddle::kernels {

// Folds leading rows and gives their number, a multiple of 64 or all of them; 0 for widths and functions it is not made for.
std::size_t fold_short_bool_rows(RowFunction, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns,
                                 std::size_t rows);

}  // namespace griddle::kernels
