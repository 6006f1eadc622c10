// Which elements lie between two others: `(a≤x)∧x≤b` in one pass. Integers take one comparison, as the distance from a has no
// sign. And elements brought between two others: `a⌈b⌊x`.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// Writes a bit for each of n elements, 1 for those from *low to *high, both included; bits after the last one are unspecified up
// to a whole word. *low is at most *high. Integers may be signed or not, as long as the range does not take all of their type in.
using Between = void (*)(void* bits, const void* x, const void* low, const void* high, std::size_t n);

struct BetweenKernels {
  Between lanes[lane_count];
  // Write the elements themselves, or the end of the range that is nearer; `out` may be x. Ends are no NaN; a NaN among the
  // elements stays.
  Between limit[lane_count];
};

const BetweenKernels& between();

}  // namespace griddle::kernels
