// Rows that chains fold: how the lanes that have a row load its elements, fold them, and store results. Columns likewise.
#pragma once

#include "gpu/cuda/chains/fold.cuh"
#include "gpu/cuda/chains/row_layout.h"

namespace griddle::cuda {

template <class V>
__device__ __forceinline__ V row_identity(griddle_fold f) {
  if (f == griddle_fold_add) return 0;
  if constexpr (sizeof(V) == 4)
    return f == griddle_fold_minimum ? 0x7FFFFFFF : -0x7FFFFFFF - 1;
  else
    return identity_of(f);
}

// The part of a row that a thread has. Threads of a block whose row is beyond the last one have that instead, and store nothing.
template <class V, std::uint64_t row_length>
struct RowPart {
  static constexpr RowLayout layout = layout_of_rows(row_length);
  static constexpr int lanes = layout.lanes, items = layout.items, run = layout.run, at_once = layout.block / lanes;

  __device__ RowPart(std::uint64_t first, std::uint64_t rows) : row(first + threadIdx.x / lanes), is_there(row < rows) {
    if (!is_there) row = rows - 1;
    lane = threadIdx.x % lanes;
  }

  // Only the last of a lane's runs may be none.
  __device__ __forceinline__ bool has(int i) const {
    return (i / run + 1) * static_cast<std::uint64_t>(lanes * run) <= row_length || along(i) < row_length;
  }
  __device__ __forceinline__ std::uint64_t place(int i) const { return row * row_length + along(i); }

  __device__ __forceinline__ std::uint64_t along(int i) const { return (lane + i / run * lanes) * run + i % run; }

  // Loads elements of an input that lie as the rows do.
  __device__ __forceinline__ void load_runs(V (&v)[items], const void* from, std::uint8_t type) const {
    if (type == griddle_device_bit) return load(v, from, type, [&](int i) { return place(i); });
#pragma unroll
    for (int i = 0; i < items; i += run) {
      V some[run] = {};
      if (has(i)) load_typed(some, from, type, place(i));
#pragma unroll
      for (int k = 0; k < run; k++) v[i + k] = some[k];
    }
  }
  // Loads elements of an input at the places that `place_of` gives for them.
  template <class F>
  __device__ __forceinline__ void load(V (&v)[items], const void* from, std::uint8_t type, F place_of) const {
#pragma unroll
    for (int i = 0; i < items; i++) v[i] = has(i) ? read_typed<V>(from, type, place_of(i)) : V(0);
  }
  // Loads one that serves the whole row.
  __device__ __forceinline__ void load_one(V (&v)[items], const void* from, std::uint8_t type) const {
    const V one = read_typed<V>(from, type, row);
#pragma unroll
    for (int i = 0; i < items; i++) v[i] = one;
  }

  // Gives every place the fold of its row, the same bits to all.
  __device__ __forceinline__ void fold(griddle_fold f, V (&v)[items]) const {
    V all = has(0) ? v[0] : row_identity<V>(f);
#pragma unroll
    for (int i = 1; i < items; i++)
      if (has(i)) all = joined(f, all, v[i]);
#pragma unroll
    for (int by = (lanes < 32 ? lanes : 32) / 2; by; by /= 2) all = joined(f, all, __shfl_xor_sync(0xFFFFFFFF, all, by));
    if constexpr (lanes > 32) {
      constexpr int warps = lanes / 32;
      __shared__ V parts[layout.block / 32];
      __syncthreads();
      if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = all;
      __syncthreads();
      const V* const mine = parts + threadIdx.x / lanes * warps;
      all = mine[0];
      for (int w = 1; w < warps; w++) all = joined(f, all, mine[w]);
    } else if (f != griddle_fold_add) {
      all = __shfl_sync(0xFFFFFFFF, all, 0, lanes);  // zeros of both signs are equal
    }
#pragma unroll
    for (int i = 0; i < items; i++) v[i] = all;
  }

  __device__ __forceinline__ void store(const V (&v)[items], void* to, std::uint8_t type) const {
    if (!is_there) return;
#pragma unroll
    for (int i = 0; i < items; i += run) {
      V some[run];
#pragma unroll
      for (int k = 0; k < run; k++) some[k] = v[i + k];
      if (has(i)) store_typed(some, to, type, place(i), false);
    }
  }
  __device__ __forceinline__ void store_one(const V (&v)[items], void* to, std::uint8_t type) const {
    if (is_there && lane == 0) write_typed(v[0], to, type, row);
  }

  std::uint64_t row;
  const bool is_there;
  std::uint32_t lane;
};

// The part of a strip of rows that a thread has: every so many-th row, of one column.
template <class V, std::uint64_t row_length>
struct ColumnPart {
  static constexpr int lanes = layout_of_columns(row_length), groups = threads / lanes, items = 8;
  using Folded = std::conditional_t<sizeof(V) == 4, long long, double>;

  __device__ ColumnPart(std::uint64_t rows, std::uint64_t strip)
      : row(blockIdx.y * strip + threadIdx.x / lanes),
        end(blockIdx.y * strip + strip < rows ? blockIdx.y * strip + strip : rows),
        column(blockIdx.x * std::uint64_t{lanes} + threadIdx.x % lanes) {
    if (column >= row_length) row = end;
  }
  __device__ __forceinline__ bool has_more() const { return row < end; }
  __device__ __forceinline__ void go_on() { row += groups * items; }

  __device__ __forceinline__ std::uint64_t row_of(int i) const { return row + i * groups; }
  __device__ __forceinline__ bool has(int i) const { return row_of(i) < end; }
  __device__ __forceinline__ std::uint64_t place(int i) const { return row_of(i) * row_length + column; }
  __device__ __forceinline__ std::uint64_t along(int) const { return column; }

  template <class F>
  __device__ __forceinline__ void load(V (&v)[items], const void* from, std::uint8_t type, F place_of) const {
#pragma unroll
    for (int i = 0; i < items; i++) v[i] = has(i) ? read_typed<V>(from, type, place_of(i)) : V(0);
  }
  __device__ __forceinline__ void load_one(V (&v)[items], const void* from, std::uint8_t type) const {
    load(v, from, type, [&](int i) { return row_of(i); });
  }

  static __device__ __forceinline__ Folded identity(griddle_fold f) {
    if (f == griddle_fold_add) return 0;
    if constexpr (sizeof(V) == 4)
      return f == griddle_fold_minimum ? 0x7FFFFFFFFFFFFFFFll : -0x7FFFFFFFFFFFFFFFll;
    else
      return identity_of(f);
  }
  __device__ __forceinline__ void take(griddle_fold f, const V (&v)[items], Folded& all) const {
#pragma unroll
    for (int i = 0; i < items; i++)
      if (has(i)) all = joined(f, all, static_cast<Folded>(v[i]));
  }
  // Joins what the threads of a column have, and stores it for this strip.
  __device__ void finish(griddle_fold f, Folded all, double* out) const {
    if constexpr (groups > 1) {
      __shared__ Folded parts[threads];
      parts[threadIdx.x] = all;
      __syncthreads();
      if (threadIdx.x >= lanes) return;
      for (int g = 1; g < groups; g++) all = joined(f, all, parts[g * lanes + threadIdx.x]);
    }
    if (column < row_length) out[blockIdx.y * row_length + column] = static_cast<double>(all);
  }

  std::uint64_t row;
  const std::uint64_t end, column;
};

}  // namespace griddle::cuda
