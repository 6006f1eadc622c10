// What comparisons with one number hold for, in one pass: `(x>k)/x` and `/x>k` without the booleans between.
#pragma once

#include "primitives/kernels/elementwise/compare.h"

namespace griddle::kernels {

// Writes what is kept of n elements at x, compared with the one at `one`, and gives how much that is. There is room for n of them
// and a vector of 64 bytes more. No overlap.
using Keep = std::size_t (*)(void* to, const void* x, const void* one, std::size_t n);

// Null where this processor does not bring lanes together.
struct KeepKernels {
  Keep elements[comparison_count][lane_count];
  Keep places[comparison_count][lane_count];  // as i16: of at most 32768 elements
};

const KeepKernels& keep_compared();

}  // namespace griddle::kernels
