// Whether a list is in order.
#pragma once

#include <cstddef>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Tells whether numbers or characters never fall, or never rise with `down`. NaN is the largest number. Not for bits and boxes.
bool is_sorted(ElementType type, const void* x, std::size_t n, bool down);

}  // namespace griddle::kernels
