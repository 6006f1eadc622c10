// Sums, counts and extremes of columns: what ˝ does with numbers in any order, or with doubles in order.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// As ways of ˝ (operand_ways.h), for arrays of rank 2 or more with at least two cells and one column.
Value column_bit_counts(Context&, Glyph, const Value& x, TableSize);
Value column_byte_sums(Context&, Glyph, const Value& x, TableSize);
Value column_int_sums(Context&, Glyph, const Value& x, TableSize);
Value column_integer_sums(Context&, Glyph, const Value& x, TableSize);
Value column_extremes(Context&, Glyph, const Value& x, TableSize);

}  // namespace griddle::primitives
