// Running results along one list, and down the columns of rows, from the start.
#pragma once

#include "primitives/kernels/shared/kernel.h"

namespace griddle::kernels {

struct ScanKernels {
  // Running sums of i8, i16 or i32 elements, onto `carry`, which ends as the last sum stored. Give the number of sums stored:
  // below n where one does not fit (or, of i32 elements, where a sum of neighbours does not).
  std::size_t (*sum[3])(std::int32_t* out, const void* x, std::size_t n, std::int32_t& carry);
  // Running sums of i8 to i16, onto `carry`; stop where they could soon overflow.
  std::size_t (*sum_bytes)(std::int16_t* out, const std::int8_t* x, std::size_t n, std::int16_t& carry);
  // All running sums of i8 elements in i16, of i16 or i32 elements in i32.
  Scan all_sums[3];
};

const ScanKernels& scan();

struct BitSumKernels {
  // Running sums of n bits onto `start`, and what they leave of it, which must fit: to i8, i16 or i32.
  using Sums = void (*)(void* out, const std::uint64_t* bits, std::size_t n, std::int32_t start);
  Sums sums[3], differences[3];
  // Running sums of at most 32767 bits, and running differences, in i16.
  Scan all_sums, all_differences;
  // Running sums, and differences, along rows of at most 64 bits, n bits in all. Null where other kernels are as quick.
  using RowSums = void (*)(std::int8_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t n);
  RowSums row_sums, row_differences;
};

const BitSumKernels& bit_sums();

// Running extremes; behind a NaN they begin again. For doubles, `out` may not be x.
struct ExtremeScanKernels {
  Scan minimum[lane_count], maximum[lane_count];
};

const ExtremeScanKernels& extreme_scan();

struct ScanColumnKernels {
  using Columns = bool (*)(void* out, const void* x, std::size_t rows, std::size_t columns);
  // Sums of i8, i16 and i32 are i32, or f64 where they do not fit: false says so.
  Columns sum[lane_count];
  Columns sum_f64[3];
  // Sums of i8 that must fit: in i8, i16 or i32.
  Columns sum_bytes[3];
  Columns minimum[lane_count], maximum[lane_count];
};

const ScanColumnKernels& scan_columns();

}  // namespace griddle::kernels
