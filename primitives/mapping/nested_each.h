// ¨ with a primitive where no element needs a call: what it gives is read off the elements, or put together from them.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives f¨ 𝕩 for an array with at least one element; the absent value where f or some element is not made for this.
// Where f is the whole function under ¨, its results may be arrays.
Value read_each(Context&, const Value& f, const Value& x, bool whole);

// Gives 𝕨 f¨ 𝕩 in the same way, for arguments whose shapes agree.
Value read_each(Context&, const Value& f, const Value& w, const Value& x);

// Pairs the elements of two flat arrays of the same shape: 𝕨 ⋈¨ 𝕩.
Value pair_each(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
