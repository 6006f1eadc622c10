// ` on tables of booleans: down the columns, and along each row.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Ways (operand_ways.h) for booleans of rank 2 or more, of rank 2 along rows, by the functions that give booleans.
Value scan_bit_columns(Context&, Glyph, const Value& x, TableSize);
Value scan_bit_rows(Context&, Glyph, const Value& x, TableSize);

}  // namespace griddle::primitives
