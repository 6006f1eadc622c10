// ∾ ↑ ↓ ⊏ of short lists of plain elements. Like short_lists.h: arguments are borrowed, at least one of them is an array, and the
// absent value declines.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

Value short_join(Context&, const Value& w, const Value& x);
Value short_take(Context&, const Value& w, const Value& x);
Value short_drop(Context&, const Value& w, const Value& x);
Value short_select(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
