// Whether a list is in order already: looks once and remembers.
#pragma once

#include "runtime/value/array.h"

namespace griddle::primitives {

// Tells whether numbers or characters ascend, or descend if `down`. NaN is the largest number. Not for bits and boxes.
bool is_in_order(Array&, bool down);

}  // namespace griddle::primitives
