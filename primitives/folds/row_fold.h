// What others need of ´ on each row.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

struct DyadRule;

// Folds each of `rows` rows, of 2 to 8 numbers each, column onto column, with a function or that function with its arguments
// swapped. Gives the absent value for other arrays.
Value fold_few_columns(Context&, const DyadRule&, bool swapped, const Value& x, std::size_t rows);

// Lets ´˘ or ˝˘ be called on tables of numbers.
void attach_row_fold(Derived&, const Value& operand);

}  // namespace griddle::primitives
