// Whole-array routes for functions on cells: what ˘ and ⎉ of a primitive do without visiting cell by cell.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives f on the cells of x, whose frame is its first `frame` (≥ 1) axes; the absent value where there is no such route.
// Takes the arguments only where it gives a result.
Value cell_route(Context&, const Value& f, std::size_t frame, Value& x);
// The same for two arguments, whose frames agree and are not both empty.
Value cell_route(Context&, const Value& f, std::size_t frame_of_w, Value& w, std::size_t frame_of_x, Value& x);

// Lets Cells of a primitive with such a route be called directly.
void attach_direct_rows(Derived&);

// Gives one column of a plain table, where f is index⊸⊏, or ⊏ and w the index, or the same with ⊑; absent for all else.
Value column_route(Context&, const Value& f, const Value& x);
Value column_route(Context&, const Value& f, const Value& w, const Value& x);

}  // namespace griddle::primitives
