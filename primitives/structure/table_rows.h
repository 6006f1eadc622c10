// Parts of the rows of a plain table that is at hand (primitives/common/ways.h).
#pragma once

#include "primitives/common/ways.h"
#include "primitives/structure/cells_at_hand.h"

namespace griddle::primitives {

// Gives the table of some neighbouring rows and columns, at least one of each.
std::uint64_t table_part(Heap&, Table, KeptCells rows, KeptCells columns);
// Moves so many rows and columns from the front to the end.
std::uint64_t rotated_table(Heap&, Table, std::int64_t rows, std::int64_t columns);
// Keeps the columns that bits mark, which are as many as columns. Declines where rows are long, or consist of bits.
std::uint64_t marked_columns(Heap&, Table, List marks);

}  // namespace griddle::primitives
