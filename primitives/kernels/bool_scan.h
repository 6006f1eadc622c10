// Running functions along packed booleans, and searches in them. n ≥ 1; bits given beyond n are unspecified.
#pragma once

#include "primitives/kernels/kernel.h"

namespace griddle::kernels {

using BoolScan = void (*)(std::uint64_t* out, const std::uint64_t* bits, std::size_t n);
using BoolScanBy = void (*)(std::size_t stride, std::uint64_t* out, const std::uint64_t* bits, std::size_t n);

// `out` may be the input.
struct BoolScanKernels {
  BoolScan and_, or_, exclusive_or, equal, less, less_equal, greater, greater_equal;
  // Combine each bit with the result `stride` ≥ 1 places before it.
  BoolScanBy and_by, or_by, exclusive_or_by;
  // Gives the place of the first bit that differs from the bits of `flip`, which are all the same, or n.
  std::size_t (*first)(const std::uint64_t* bits, std::size_t n, std::uint64_t flip);
};

const BoolScanKernels& bool_scan();

// Give the place of the first 1 (0), or n.
inline std::size_t first_one(const std::uint64_t* bits, std::size_t n) { return bool_scan().first(bits, n, 0); }
inline std::size_t first_zero(const std::uint64_t* bits, std::size_t n) { return bool_scan().first(bits, n, ~std::uint64_t{0}); }

}  // namespace griddle::kernels
