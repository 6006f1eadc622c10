// ` on tables of booleans: down the columns, and along each row.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Ways for booleans of rank 2 or more, of rank 2 along rows, by the functions that give booleans.
OperandCode scan_bit_columns, scan_bit_rows;

}  // namespace griddle::primitives
