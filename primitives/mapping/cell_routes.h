// Whole-array routes for functions on cells: what ˘ and ⎉ of a primitive do without visiting cell by cell.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives f on the cells of x, whose frame is its first `frame` (≥ 1) axes; the absent value where there is no such route.
// Takes the arguments only where it gives a result.
Value cell_route(Context&, const Value& f, std::size_t frame, Value& x);
// The same for two arguments, whose frames agree and are not both empty.
Value cell_route(Context&, const Value& f, std::size_t frame_of_w, Value& w, std::size_t frame_of_x, Value& x);

// What primitives do to all cells at once, for the columns of the table that say so (runtime/primitive.h).
using OnCells = Value(Context&, std::size_t frame, Value& x);
OnCells same_cells, enclose_cells, reverse_cells, transpose_cells, sort_cells_up, sort_cells_down, grade_cells_up,
    grade_cells_down, first_in_cells, first_of_rows, nudge_cells, nudge_cells_back, lengths_of_cells, ranks_of_cells,
    depths_of_cells, solo_cells, ravel_cells;
using WithCells = Value(Context&, const Value& w, std::size_t frame, Value& x);
WithCells select_in_cells, pick_from_rows, rotate_cells, take_in_cells, drop_in_cells, shift_before_rows, shift_after_rows,
    windows_in_rows, replicate_in_cells;
// To pairs of cells: to those of two frames, or to the cells of one frame and all of the other value, whose frame is empty then.
// Cells are joined where they are lists and atoms of one kind; numbers with characters make boxes. Those that are matched are
// flat. What selects from a cell is an index, or a list of indices; rows are rotated by numbers.
using PairsOfCells = Value(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);
PairsOfCells match_cells, unlike_cells, join_cells, couple_cells, select_from_each, rotate_each;

// Folds each row by f, as one insert down the columns, where rows are many and short; absent for others.
Value folded_rows(Context&, const Value& f, std::size_t frame, Value& x);

// Lets Cells of a primitive with such a route be called directly.
void attach_direct_rows(Derived&);

// Takes element `column` of each row, of any type but boxes.
void take_column(Array& to, const Array& from, std::size_t row_length, std::size_t column);
// Gives one column of a plain table; the same where f is index⊸⊏, or ⊏ and w the index, or the same with ⊑; absent for all else.
Value select_column(Context&, std::size_t index, const Array& table);
Value column_route(Context&, const Value& f, const Value& x);
Value column_route(Context&, const Value& f, const Value& w, const Value& x);

}  // namespace griddle::primitives
