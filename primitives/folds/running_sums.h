// Running sums, differences and extremes that kernels for one type of elements do not have: ` on longer or larger numbers, onto a
// number, and down columns.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Running sums of more bytes are not tried in 16 bits.
inline constexpr std::size_t most_bytes_in_i16 = 16384;

// Ways for lists of numbers, and down the columns of higher ranks, of which the first does sums and differences.
OperandCode running_bit_sums, running_integer_sums, running_bit_differences, running_integer_differences;
OperandCode running_column_bit_sums, running_column_sums, running_column_extremes;

// w+`x.
Value running_sums_onto(Context&, double w, const Value& x);

}  // namespace griddle::primitives
