// Folds and scans of numbers one after the other by a primitive, where no kernel has a faster way.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Folds the first `count` elements of a numeric list from the right onto a number; gives how many are left: all of them where
// the glyph stands for no such function.
std::size_t fold_running(Context&, Glyph glyph, const Value& list, std::size_t count, double& so_far);

// Folds the cells of a numeric array of rank 2 or more, of which there are at least two, each with an element, onto each other.
// The absent value where the glyph stands for no such function.
Value insert_running(Context&, Glyph glyph, const Value& x);

// Folds each row of a numeric array that has elements, `frame` axes of rows. The absent value as above, and for comparisons.
Value fold_rows_running(Context&, Glyph glyph, std::size_t frame, const Value& x);

// Scans a numeric list that has elements, by comparisons two or more. The absent value where the glyph stands for no such
// function.
Value scan_running(Context&, Glyph glyph, const Value& list);

// Scans each row of a numeric table that has elements. The absent value as above, and for comparisons.
Value scan_rows_running(Context&, Glyph glyph, const Value& x);

// Scans the cells of a numeric array of rank 2 or more, at least two of them.
Value scan_cells_running(Context&, Glyph glyph, const Value& x);

}  // namespace griddle::primitives
