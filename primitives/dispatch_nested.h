// Pervasive functions on arrays of boxes: element by element, in the memory of an argument that nobody else will see.
#pragma once

#include "primitives/dispatch.h"

namespace griddle::primitives {

// Compute on elements, of which some are no atoms. The result has the shape of `shaped`, one of the arguments; each element of 𝕨
// meets `cell_w` elements of 𝕩 one after the other, or the other way round. Its fill is still to be set.
Value pervade_nested(Context&, const DyadRule&, Value& w, Value& x, const Array& shaped, std::size_t cell_w, std::size_t cell_x);
Value pervade_nested(Context&, const MonadRule&, Value& x);

// Computes on the lists in a short list of plain lists, with an atom or those of another such list, and stays away from all else:
// then it gives the absent value.
Value pervade_few(Context&, const DyadRule&, const Value& w, const Value& x);

}  // namespace griddle::primitives
