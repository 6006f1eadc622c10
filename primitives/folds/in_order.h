// Folds and scans of numbers one after the other, where no kernel has a faster way: by + - × ÷ ∧ ∨, and by comparisons.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Folds the first `count` elements of a numeric list from the right onto a number, by any of those functions.
Value fold_onto(Context&, Glyph, const Value& list, std::size_t count, double so_far);

// Ways for arrays of numbers that have elements. Of ´; of ˝ and of ` down the first axis, which has at least two cells; of ` on a
// list of at least two elements; and of ` on each row of a table, which declines comparisons.
OperandCode fold_in_order, insert_in_order, scan_columns_in_order, scan_in_order, scan_rows_in_order;
// Folds each row of an array, `frame` axes of rows; declines comparisons.
Value fold_rows_in_order(Context&, Glyph, std::size_t frame, const Value& x);

}  // namespace griddle::primitives
