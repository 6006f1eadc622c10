// What primitives of two arguments do to pairs of cells: to those of two frames, or to the cells of one frame and all of the
// other value, whose frame is empty then. Absent for what has no such way.
#pragma once

#include "runtime/value/array.h"
#include "runtime/value/context.h"

namespace griddle::primitives {

// Joins each cell of w with that of x, lists and atoms of one kind; numbers with characters make boxes.
Value join_cells(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);

// Tell of each pair of flat cells whether they match, or do not.
Value match_cells(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);
Value unlike_cells(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);

// Selects from each cell of x by the index, or the list of indices, that the cell of w is.
Value select_from_each(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);

// Rotates each row of x by as many places as the cell of w says, or w itself where that is a number.
Value rotate_each(Context&, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);

}  // namespace griddle::primitives
