// Draws with probability in proportion to products of weights: a row of one table times a row of another, place by place. Every
// method draws from one layout; README.md says how they differ. Here is what comes before a draw, and which method does it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "gpu/cuda/sampler_lanes.cuh"
#include "gpu/cuda/sampler_tables.cuh"

namespace griddle::cuda::samplers {

// --- what comes before

// Sets the fault where a number is no weight; copies rows, `pitch` apart and followed by zeros, unless `to` is null.
template <class T, class S>
__global__ void stage(const S* from, T* to, u64 rows, u32 length, u32 pitch, u32* fault) {
  const u32 step = to ? pitch : length;
  const u64 all = rows * step, threads = u64{gridDim.x} * blockDim.x;
  for (u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x; i < all; i += threads) {
    S v = 0;
    if (step == length) {
      v = from[i];
    } else {
      const u64 row = i / step;
      const u32 k = static_cast<u32>(i - row * step);
      if (k < length) v = from[row * length + k];
    }
    if (!(v >= 0 && v < __longlong_as_double(0x7FF0000000000000))) *fault = 1;
    if (to) to[i] = static_cast<T>(v);
  }
}
// Sets the fault where a number is no row.
template <class I>
__global__ void check_rows(const I* rows, u64 count, u64 limit, u32* fault) {
  const u64 threads = u64{gridDim.x} * blockDim.x;
  for (u64 i = u64{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads)
    if (rows[i] < 0 || static_cast<u64>(rows[i]) >= limit) *fault = 1;
}

// --- choice and start

enum class Method { pieces, prefix_linear, prefix_binary, transposed, butterfly, warp };

constexpr bool has_table(Method m) { return m != Method::pieces && m != Method::warp; }
constexpr u32 threads_of(Method m) {
  switch (m) {
    case Method::prefix_linear:
    case Method::prefix_binary: return table_threads;
    case Method::transposed: return transposed_threads;
    case Method::butterfly: return butterfly_threads;
    case Method::warp: return warp_threads;
    default: return pieces_threads;
  }
}

// How many blocks draw; a thread of a method with a table has a column of it.
template <class T>
u32 blocks_of(Method m, const Draws<T>& d, u32 most) {
  const u64 lists = has_table(m) ? (d.documents ? d.document_count : d.count) : d.count * (m == Method::pieces ? 8 : 32);
  const u64 wanted = (lists + threads_of(m) - 1) / threads_of(m);
  return static_cast<u32>(wanted < most ? wanted : most);
}
template <class T>
u64 table_length(Method m, const Draws<T>& d, u32 blocks) {
  return has_table(m) ? u64{blocks} * threads_of(m) * (m == Method::butterfly ? (d.length + 31) / 32 : d.length) : 0;
}

// Starts `warp` with the fewest lanes whose chunks hold a row, or with so many.
template <class T>
void start_warp(const Draws<T>& d, u32 blocks, u32 lanes, cudaStream_t stream) {
  constexpr u32 part = Part<T>::count;
  const bool aligned = d.length % part == 0 && d.pitch % part == 0;
  const auto start = [&]<int G>(std::integral_constant<int, G>) {
    if (aligned)
      warp<G, true><<<blocks, warp_threads, 0, stream>>>(d);
    else
      warp<G, false><<<blocks, warp_threads, 0, stream>>>(d);
  };
  if (lanes == 4)
    start(std::integral_constant<int, 4>());
  else if (lanes == 8)
    start(std::integral_constant<int, 8>());
  else if (lanes == 16)
    start(std::integral_constant<int, 16>());
  else
    start(std::integral_constant<int, 32>());
}

template <class T>
void start(Method m, const Draws<T>& d, T* table, u32 blocks, u32 lanes, cudaStream_t stream) {
  switch (m) {
    case Method::prefix_linear: prefix<Search::linear><<<blocks, table_threads, 0, stream>>>(d, table); return;
    case Method::prefix_binary: prefix<Search::binary><<<blocks, table_threads, 0, stream>>>(d, table); return;
    case Method::transposed: transposed<<<blocks, transposed_threads, 0, stream>>>(d, table); return;
    case Method::butterfly: butterfly<32><<<blocks, butterfly_threads, 0, stream>>>(d, table); return;
    case Method::warp: start_warp(d, blocks, lanes, stream); return;
    case Method::pieces:
      if (d.length <= block)
        pieces<true><<<blocks, pieces_threads, 0, stream>>>(d);
      else
        pieces<false><<<blocks, pieces_threads, 0, stream>>>(d);
  }
}

}  // namespace griddle::cuda::samplers
