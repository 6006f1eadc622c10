// How many comparisons hold.
#pragma once

#include "primitives/kernels/elementwise/compare.h"

namespace griddle::kernels {

// Counts the places of n pairs, or of n elements beside a single one, where a comparison holds.
using Count = std::int64_t (*)(const void* w, const void* x, std::size_t n);

struct CountKernels {
  Count count[comparison_count][lane_count][form_count];
};

const CountKernels& count_compared();

}  // namespace griddle::kernels
