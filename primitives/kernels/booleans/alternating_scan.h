// Running < and ≤ of packed tables: every other 1 of each run of ones is turned off, counted from the run's start; of
// complements the same.
#pragma once

#include "primitives/kernels/booleans/bool_scan.h"

namespace griddle::kernels {

struct AlternatingScanKernels {
  // Along rows of `columns` ≥ 1, n bits in all; down columns, rows onto each other. `out` may be the input; bits beyond n are
  // unspecified.
  BoolScanBy less_in_rows, less_equal_in_rows, less_by, less_equal_by;
};

const AlternatingScanKernels& alternating_scan();

}  // namespace griddle::kernels
