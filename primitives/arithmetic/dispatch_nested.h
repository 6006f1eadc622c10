// Pervasive functions on arrays of boxes: element by element, in the memory of an argument that nobody else will see.
#pragma once

#include "primitives/arithmetic/dispatch.h"

namespace griddle::primitives {

// Compute on elements, of which some are no atoms. The result has the shape of `shaped`, one of the arguments; each element of 𝕨
// meets `cell_w` elements of 𝕩 one after the other, or the other way round. Its fill is still to be set.
Value pervade_nested(Context&, const DyadRule&, Value& w, Value& x, const Array& shaped, std::size_t cell_w, std::size_t cell_x);
Value pervade_nested(Context&, const MonadRule&, Value& x);

// Compute on the elements of short lists, some of which are lists, or of one such list and one element that meets them all, where
// memory of arguments is not worth taking. Give the absent value for all else.
Value pervade_few(Context&, const DyadRule&, const Value& w, const Value& x);
Value pervade_few(Context&, const MonadRule&, const Value& x);

}  // namespace griddle::primitives
