// Running functions along packed booleans. n ≥ 1; bits given beyond n are unspecified.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

using BoolScanBy = void (*)(std::size_t stride, std::uint64_t* out, const std::uint64_t* bits, std::size_t n);

// `out` may be the input.
struct BoolScanKernels {
  Scan and_, or_, exclusive_or, equal, less, less_equal, greater, greater_equal;
  // Combine each bit with the result `stride` ≥ 1 places before it.
  BoolScanBy and_by, or_by, exclusive_or_by;
};

const BoolScanKernels& bool_scan();

}  // namespace griddle::kernels
