// Sums of i32 in 64 bits, for processors that have what that takes.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct WideSumKernels {
  // Sums each row of i32 to an i64; rows have at least one element. Null, as all the others, where 64 bits are slow.
  void (*rows)(std::int64_t* out, const std::int32_t* x, std::size_t columns, std::size_t rows);
  // Tells whether n ≥ 1 sums fit i32.
  bool (*fit)(const std::int64_t* sums, std::size_t n);
  // Write n ≥ 1 sums as i32, which they fit, or as doubles; `out` may be `sums`.
  void (*to_i32)(void* out, const std::int64_t* sums, std::size_t n);
  void (*to_f64)(void* out, const std::int64_t* sums, std::size_t n);
};

const WideSumKernels& wide_sums();

}  // namespace griddle::kernels
