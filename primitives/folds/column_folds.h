// Sums, counts and extremes of columns: what ˝ does with numbers in any order, or with doubles in order.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Ways of ˝, for arrays of rank 2 or more with at least two cells and one column.
OperandCode column_bit_counts, column_byte_sums, column_int_sums, column_integer_sums, column_extremes;

}  // namespace griddle::primitives
