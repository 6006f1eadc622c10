// The order of a few elements: each one's place is how many come before it, which vectors count.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

inline constexpr std::size_t most_ordered_few = 128;

// Sorts n ≤ most_ordered_few integers, characters or doubles; equal ones keep their order. `out` may be x. False, and nothing
// written, where one is a NaN.
bool sort_few(ElementType type, const void* x, std::size_t n, void* out, bool down);
// Writes their places in that order.
bool grade_few(ElementType type, const void* x, std::size_t n, std::uint8_t* places, bool down);

}  // namespace griddle::kernels
