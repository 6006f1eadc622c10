// ¨ with a primitive that takes flat lists apart or puts them together: ⌽ ↑ ↓ ∾ on each list, without calls.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

// Gives f¨ 𝕩, and 𝕨 f¨ 𝕩, for non-empty arrays of flat lists, or 𝕨 f 𝕩 on each where one of them is a unit. Gives the absent
// value where f or some element is not made for this.
Value rearrange_each(Context&, const PrimitiveFunctionEntry& f, const Array& boxes);
Value rearrange_each(Context&, const Value& f, const Value& w, const Value& x);

}  // namespace griddle::primitives
