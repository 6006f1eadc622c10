// What every method of drawing by products of weights reads (samplers.cuh): the layout of tables and draws, and arithmetic whose
// results are the same on every chip.
#pragma once

#include <cstdint>

#include "gpu/cuda/random_derivation.h"

namespace griddle::cuda::samplers {

namespace rd = griddle::random_derivation;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class T>
struct Draws {
  const T *first, *second;  // tables; rows begin `pitch` elements apart
  u32 length, pitch;        // length ≥ 1
  const std::int32_t *first_rows, *second_rows;
  u64 count;
  const std::int32_t* documents;  // where each document's draws begin, and the end; or null
  u32 document_count;
  u64 key, position;  // draw i has the half i%2 of block position + i÷2
  std::int32_t* out;
  u32* fault;  // not 0: nothing is drawn; is set where products have no sum to draw by

  __device__ u64 lists() const { return documents ? document_count : count; }
  __device__ u64 begin(u64 list) const { return documents ? documents[list] : list; }
  __device__ u64 end(u64 list) const { return documents ? documents[list + 1] : list + 1; }
  __device__ const T* first_row(u64 draw) const { return first + u64{pitch} * static_cast<u32>(first_rows[draw]); }
  __device__ const T* second_row(u64 draw) const { return second + u64{pitch} * static_cast<u32>(second_rows[draw]); }
  __device__ u64 random(u64 draw) const {
    const rd::Block b = rd::block_at(key, position + draw / 2, 0);
    return draw & 1 ? b.half(1) : b.half(0);
  }
};

// --- numbers: no step is fused, so that each method's sums are the same on every chip. Integers are for exact comparisons.

__device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ float times(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ u32 times(u32 a, u32 b) { return a * b; }
__device__ __forceinline__ double plus(double a, double b) { return __dadd_rn(a, b); }
__device__ __forceinline__ float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ __forceinline__ u32 plus(u32 a, u32 b) { return a + b; }

__device__ __forceinline__ bool is_sum(double total) { return total > 0 && total < __longlong_as_double(0x7FF0000000000000); }
__device__ __forceinline__ bool is_sum(float total) { return total > 0 && total < __int_as_float(0x7F800000); }
__device__ __forceinline__ bool is_sum(u32 total) { return total > 0; }

// Gives the share of the total that a draw wants: below it, whatever is rounded.
__device__ __forceinline__ double share(u64 random, double total) {
  const double wanted = times(rd::fraction(random), total);
  return wanted < total ? wanted : __longlong_as_double(__double_as_longlong(total) - 1);
}
__device__ __forceinline__ float share(u64 random, float total) {
  const float wanted = times(__uint2float_rz(static_cast<u32>(random >> 32)) * 0x1p-32f, total);
  return wanted < total ? wanted : __int_as_float(__float_as_int(total) - 1);
}
__device__ __forceinline__ u32 share(u64 random, u32 total) { return static_cast<u32>(__umul64hi(random, total)); }

// Gives the place, or the nearest one whose product is above 0: sums that are made in different orders may disagree in the last
// bit about places without weight.
template <class T>
__device__ u32 settled(const T* a, const T* b, u32 length, u32 place) {
  if (place < length && times(a[place], b[place]) > 0) return place;
  if (place >= length) place = length - 1;
  for (u32 distance = 0; distance < length; distance++) {
    if (distance <= place && times(a[place - distance], b[place - distance]) > 0) return place - distance;
    if (place + distance < length && times(a[place + distance], b[place + distance]) > 0) return place + distance;
  }
  return place;
}

}  // namespace griddle::cuda::samplers
