// 𝕨 +˝∘×⎉1‿∞ 𝕩: the matrix product, and what else sums products of cells with a whole array.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives `cell f x` for each cell of 𝕨, of which the last axis is one, where f is +˝∘× and both are numbers; the absent value for
// anything else.
Value matrix_product(Context&, const Value& f, const Value& w, const Value& x);

}  // namespace griddle::primitives
