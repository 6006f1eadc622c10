// Neighbouring operations of a plan that one kernel does in one pass.
#pragma once

#include <vector>

#include "primitives/expressions/fused_plan.h"

namespace griddle::primitives {

// Merges what it can: two functions of doubles, two comparisons that tell which elements lie in a range, and two functions that
// bring elements into one. `reads`: how often the results of each node are read. Tells whether there is such a range.
bool merge_neighbours(const FusedExpression&, std::vector<FusedPlan::Operation>&, const int* reads);

}  // namespace griddle::primitives
