// ¨ of functions that begin with a pick or a pairing with data: all elements at once.
#pragma once

#include "runtime/value/context.h"

namespace griddle::primitives {

// Computes (F⟜k)¨x as x F¨<k, or (k⊸F)¨x, where F picks elements of k or pairs atoms with it; so it does where this is the first
// step of a function. The absent value for all else, and where a pick fails.
Value each_bound(Context&, const Value& f, const Value& x);

}  // namespace griddle::primitives
