// Searches of a few cells or boxes, which are compared with each other: most differ soon, and nothing needs to be hashed. They
// decline with the absent value where there are more.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// More are never compared.
inline constexpr std::size_t most_few_cells = 16;

Value index_of_few_cells(Context&, const Value& w, const Value& x);
Value member_of_few_cells(Context&, const Value& w, const Value& x);
Value classify_few_cells(Context&, const Value& x);
Value mark_first_of_few_cells(Context&, const Value& x);
// Keeps the first of equal boxes; of equal cells, short ones that are equal where their bytes are.
Value distinct_of_few_boxes(Context&, const Value& x);
Value distinct_of_few_cells(Context&, const Value& x);

}  // namespace griddle::primitives
