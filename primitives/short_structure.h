// ∾ ↑ ↓ ⊏ ⊑ ≡ ≢ ⌽ ⥊ of short arrays. Arguments are borrowed, at least one of them is an array, and the
// absent value declines.
#pragma once

#include "runtime/primitive.h"

namespace griddle::primitives {

Value short_join(Context&, const Value& w, const Value& x);
Value short_take(Context&, const Value& w, const Value& x);
Value short_drop(Context&, const Value& w, const Value& x);
Value short_select(Context&, const Value& w, const Value& x);
Value short_pick(Context&, const Value& w, const Value& x);
Value short_match(Context&, const Value& w, const Value& x);
Value short_unlike(Context&, const Value& w, const Value& x);  // ≢
Value short_rotate(Context&, const Value& w, const Value& x);
Value short_reshape(Context&, const Value& w, const Value& x);

}  // namespace griddle::primitives
