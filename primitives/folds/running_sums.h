// Running sums, differences and extremes that kernels for one type of elements do not have: ` on longer or larger numbers, onto a
// number, and down columns.
#pragma once

#include "primitives/folds/operand_ways.h"

namespace griddle::primitives {

// Running sums of more bytes are not tried in 16 bits.
inline constexpr std::size_t most_bytes_in_i16 = 16384;

// Ways (operand_ways.h) for lists of numbers,
Value running_bit_sums(Context&, Glyph, const Value& x, TableSize);
Value running_integer_sums(Context&, Glyph, const Value& x, TableSize);
Value running_bit_differences(Context&, Glyph, const Value& x, TableSize);
Value running_integer_differences(Context&, Glyph, const Value& x, TableSize);
// and down the columns of higher ranks. The first does sums and differences.
Value running_column_bit_sums(Context&, Glyph, const Value& x, TableSize);
Value running_column_sums(Context&, Glyph, const Value& x, TableSize);
Value running_column_extremes(Context&, Glyph, const Value& x, TableSize);

// w+`x.
Value running_sums_onto(Context&, double w, const Value& x);

}  // namespace griddle::primitives
