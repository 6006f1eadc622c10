// Folds that end a chain: what a thread has folded, and how threads and blocks put theirs together.
#pragma once

#include <cmath>

#include "gpu/cuda/chains/chain.cuh"

namespace griddle::cuda {

template <class T>
__device__ T joined(griddle_fold f, T a, T b) {
  switch (f) {
    case griddle_fold_add: return a + b;
    case griddle_fold_minimum: return a != a || a < b ? a : b;
    case griddle_fold_maximum: return a != a || a > b ? a : b;
    default: return a * b;
  }
}
__device__ inline double identity_of(griddle_fold f) {
  return f == griddle_fold_add ? 0 : f == griddle_fold_minimum ? INFINITY : f == griddle_fold_maximum ? -INFINITY : 1;
}

__device__ inline double block_fold(griddle_fold f, double mine) {
  __shared__ double parts[threads / 32];
  __syncthreads();
  for (int by = 16; by; by /= 2) mine = joined(f, mine, __shfl_xor_sync(0xFFFFFFFF, mine, by));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = parts[0];
  for (int w = 1; w < threads / 32; w++) mine = joined(f, mine, parts[w]);
  return mine;
}

// Leaves the answer to the block that finishes last. Partial folds are combined in a fixed order.
__device__ inline void finish_fold(griddle_fold f, double mine, double* partials, std::uint32_t* arrivals, double* answer) {
  __shared__ bool last;
  mine = block_fold(f, mine);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(arrivals, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  double all = identity_of(f);
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += threads) all = joined(f, all, __ldcg(partials + i));
  all = block_fold(f, all);
  if (threadIdx.x == 0) {
    *answer = all;
    *arrivals = 0;
  }
}

// Gives the sum of packed values and one more.
__device__ __forceinline__ std::int32_t sum_of(Bits a, std::int32_t more) { return __popc(a.word) + more; }
__device__ __forceinline__ std::int32_t sum_of(Lanes<std::int8_t> a, std::int32_t more) {
  return __dp4a(static_cast<std::int32_t>(a.word), 0x01010101, more);
}
__device__ __forceinline__ std::int32_t sum_of(Lanes<std::uint8_t> a, std::int32_t more) {
  return static_cast<std::int32_t>(__dp4a(a.word, 0x01010101u, static_cast<std::uint32_t>(more)));
}
__device__ __forceinline__ std::int32_t sum_of(Lanes<std::int16_t> a, std::int32_t more) {
  return Packing<Lanes<std::int16_t>>::at(a, 0) + Packing<Lanes<std::int16_t>>::at(a, 1) + more;
}

// What a thread has folded so far of the groups that it took.
template <class V, bool adds>
struct FoldSoFar {
  static constexpr bool exact = sizeof(V) == 4;
  double so_far;
  long long sum = 0;  // of integers

  __device__ double value() const { return adds && exact ? static_cast<double>(sum) : so_far; }
  // Takes a group, of which `left` places or more are there.
  template <int group>
  __device__ __forceinline__ void take(griddle_fold f, V (&v)[group], std::uint64_t left) {
    if constexpr (is_packed<V>)
      take_packed(f, v, left);
    else
      take_alone(f, v, left);
  }

 private:
  template <int group>
  __device__ __forceinline__ void take_alone(griddle_fold f, V (&v)[group], std::uint64_t left) {
    const int here = left < static_cast<std::uint64_t>(group) ? static_cast<int>(left) : group;
    if constexpr (adds) {
      if (here < group) {
#pragma unroll
        for (int i = 0; i < group; i++)
          if (i >= here) v[i] = 0;
      }
      if constexpr (exact) {
#pragma unroll
        for (int i = 0; i < group; i++) sum += v[i];
      } else {
        so_far += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
      }
    } else if (exact && here == group && f != griddle_fold_multiply) {
      V all = v[0];
#pragma unroll
      for (int i = 1; i < group; i++) all = f == griddle_fold_minimum ? min(all, v[i]) : max(all, v[i]);
      so_far = joined(f, so_far, static_cast<double>(all));
    } else {
#pragma unroll
      for (int i = 0; i < group; i++)
        if (i < here) so_far = joined(f, so_far, static_cast<double>(v[i]));
    }
  }
  template <int group>
  __device__ __forceinline__ void take_packed(griddle_fold f, V (&v)[group], std::uint64_t left) {
    using P = Packing<V>;
    constexpr int all_places = group * P::places;
    const int here = left < static_cast<std::uint64_t>(all_places) ? static_cast<int>(left) : all_places;
    if constexpr (adds) {
      std::int32_t more = 0;
#pragma unroll
      for (int i = 0; i < group; i++) {
        const int count = here - i * P::places;
        const std::uint32_t word = here == all_places ? v[i].word : count <= 0 ? 0 : v[i].word & P::first(count);
        more = sum_of(V{word}, more);
      }
      sum += more;
    } else if (here == all_places && f != griddle_fold_multiply) {
      V all = v[0];
#pragma unroll
      for (int i = 1; i < group; i++) all = f == griddle_fold_minimum ? least_of(all, v[i]) : greatest_of(all, v[i]);
      take_places_of(f, all, P::places);
    } else {
#pragma unroll
      for (int i = 0; i < group; i++) take_places_of(f, v[i], here - i * P::places);
    }
  }
  __device__ __forceinline__ void take_places_of(griddle_fold f, V values, int count) {
#pragma unroll 1
    for (int k = 0; k < Packing<V>::places && k < count; k++)
      so_far = joined(f, so_far, static_cast<double>(Packing<V>::at(values, k)));
  }
};

}  // namespace griddle::cuda
