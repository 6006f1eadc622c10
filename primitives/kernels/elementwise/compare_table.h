// Tables of comparisons: packed booleans, row after row without a gap.
#pragma once

#include "primitives/kernels/elementwise/compare.h"

namespace griddle::kernels {

struct CompareTables {
  // Write whole words, 0 beyond the end. Never fail.
  Table compare[comparison_count][compared_lane_count];
  // Each element with its own n, row after row.
  Table compare_rows[comparison_count][compared_lane_count];
};

const CompareTables& compare_tables();

}  // namespace griddle::kernels
