// Folds of all windows of a list: of each `size` neighbours, in time that hardly depends on `size`.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

// Gives for n elements, and a size from 1 to n, n-size+1 results in the type of the elements. `out` overlaps nothing.
using WindowFold = void (*)(void* out, const void* x, std::size_t n, std::size_t size);

struct WindowFoldKernels {
  // Sums of integers, which must fit, and of doubles that are integers, of which so many must be below 2^53.
  WindowFold sum[lane_count];
  // Sums of doubles, each from the right: takes `size` steps for each result.
  WindowFold sum_in_order;
  // Extremes as folds from the right give them. Take memory for `room(size)` elements; doubles must be no NaNs.
  using Extremes = void (*)(void* out, const void* x, std::size_t n, std::size_t size, void* memory);
  Extremes minimum[lane_count], maximum[lane_count];
  static constexpr std::size_t room(std::size_t size) { return 2 * size + 1024; }
  // Tells whether one of n doubles is a NaN.
  bool (*has_nan)(const double* x, std::size_t n);
  // Tell whether all, or any, of the bits of each window are 1; `out` has room for n bits. Bits of `x` behind the n-th may be
  // anything.
  void (*all_bits)(std::uint64_t* out, const std::uint64_t* x, std::size_t n, std::size_t size);
  void (*any_bits)(std::uint64_t* out, const std::uint64_t* x, std::size_t n, std::size_t size);
};

const WindowFoldKernels& window_fold();

}  // namespace griddle::kernels
