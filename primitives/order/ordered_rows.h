// ∧˘ ∨˘ ⍋˘ ⍒˘: the rows of a flat array, each put in order, or its places.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Take the cells after `frame` axes, which are lists; give the absent value where that is no faster than a call for each.
Value sort_rows(Context&, bool down, std::size_t frame, const Value& x);
Value grade_rows(Context&, bool down, std::size_t frame, const Value& x);

}  // namespace griddle::primitives
