// Composed functions on cells: trains and combinators of functions that each have a way for all cells at once.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Tells whether there are cells enough, and elements of the kind, that composed_cells() could have a way.
bool may_be_composed(const Value& x, std::size_t frame);

// Gives f on the cells of x, whose frame is its first `frame` (≥ 1) axes; the absent value where f is not composed of functions
// that have such ways, or fails: then the calls cell by cell have to tell where.
Value composed_cells(Context&, const Value& f, std::size_t frame, const Value& x);

// The same between the cells of two arrays whose frames are equal, or of one and all of the other, whose frame is 0.
Value composed_cells(Context&, const Value& f, std::size_t frame_of_w, const Value& w, std::size_t frame_of_x, const Value& x);

// Gives f on the elements of flat arrays of one shape; `w` is absent where there is one argument. The absent value where elements
// are few, where f is not composed of functions with ways for all at once, as above, or where results are no atoms.
Value composed_elements(Context&, const Value& f, const Value& w, const Value& x);

// The same for lists of flat lists that are equally long, or for one value beside such a list, enclosed or an atom.
Value composed_lists(Context&, const Value& f, const Value& w, const Value& x);

// Gives the table 𝕨 f⌜ 𝕩 of such lists in the same way.
Value composed_table(Context&, const Value& f, const Value& w, const Value& x);

}  // namespace griddle::primitives
