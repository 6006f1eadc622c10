// The ways of ´ ˝ ` that have files of their own.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Numbers one after the other, where no kernel has a faster way (in_order.cc): by + - × ÷ ∧ ∨, and by comparisons. Of ´; of ˝ and
// of ` down the first axis, which has at least two cells; of ` on a list of at least two elements; and of ` on each row of a
// table, which declines comparisons.
OperandCode fold_in_order, insert_in_order, scan_columns_in_order, scan_in_order, scan_rows_in_order;
// Folds the first `count` elements of a numeric list from the right onto a number, by any of those functions.
Value fold_onto(Context&, OperandEntry, const Value& list, std::size_t count, double so_far);
// Folds each row of an array, `frame` axes of rows; absent for comparisons.
Value fold_rows_in_order(Context&, OperandEntry, std::size_t frame, const Value& x);

// Sums, counts and extremes of columns (column_folds.cc): ˝ of arrays of rank 2 or more with at least two cells and one column.
OperandCode column_bit_counts, column_byte_sums, column_int_sums, column_integer_sums, column_extremes;

// ` on tables of booleans, by the functions that give booleans (bit_table_scan.cc): of rank 2 or more, of rank 2 along rows.
OperandCode scan_bit_columns, scan_bit_rows;

// Running sums, differences and extremes that kernels for one type of elements do not have (running_sums.cc): of lists of
// numbers; down the columns of higher ranks, of which the first does sums and differences; and w+`x.
OperandCode running_bit_sums, running_integer_sums, running_bit_differences, running_integer_differences;
OperandCode running_column_bit_sums, running_column_sums, running_column_extremes;
Value running_sums_onto(Context&, double w, const Value& x);
// Running sums of more bytes are not tried in 16 bits.
inline constexpr std::size_t most_bytes_in_i16 = 16384;

}  // namespace griddle::primitives
