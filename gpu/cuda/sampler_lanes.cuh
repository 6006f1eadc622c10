// Methods of drawing by products of weights that keep no table (samplers.cuh): some lanes of a warp take a draw together.
#pragma once

#include "gpu/cuda/sampler_draws.cuh"

namespace griddle::cuda::samplers {

// --- warp: G lanes a draw, no table. Rows are read in chunks of 16 bytes a lane; lane l comes to hold the sum of chunk l.

constexpr u32 warp_threads = 256;

template <class T>
struct alignas(16) Part {
  static constexpr int count = 16 / sizeof(T);
  T of[count];
  __device__ T sum() const {
    T s = of[0];
#pragma unroll
    for (int e = 1; e < count; e++) s = plus(s, of[e]);
    return s;
  }
};

// Gives the products of a lane's part of a chunk; 0 beyond the rows' end. `aligned`: rows and lengths are whole parts.
template <bool aligned, class T>
__device__ __forceinline__ Part<T> products(const T* a, const T* b, u32 length, u32 at) {
  Part<T> p{};
  if constexpr (aligned) {
    if (at < length) {
      const Part<T> x = *reinterpret_cast<const Part<T>*>(a + at), y = *reinterpret_cast<const Part<T>*>(b + at);
#pragma unroll
      for (int e = 0; e < Part<T>::count; e++) p.of[e] = times(x.of[e], y.of[e]);
    }
  } else {
#pragma unroll
    for (int e = 0; e < Part<T>::count; e++)
      if (at + e < length) p.of[e] = times(a[at + e], b[at + e]);
  }
  return p;
}

// The sum over the lanes up to this one.
template <int G, class T>
__device__ __forceinline__ T sums_up_to(T v) {
  const u32 lane = threadIdx.x % G;
#pragma unroll
  for (u32 o = 1; o < G; o *= 2) {
    const T below = __shfl_up_sync(0xFFFFFFFF, v, o, G);
    if (lane >= o) v = plus(v, below);
  }
  return v;
}

// Gives the first lane of the group where this holds, G if none.
template <int G>
__device__ __forceinline__ u32 first_lane(bool holds) {
  const u32 all = __ballot_sync(0xFFFFFFFF, holds);
  const u32 mine = G == 32 ? all : all >> (threadIdx.x % 32 / G * G) & ((1u << G % 32) - 1);
  return mine ? static_cast<u32>(__ffs(static_cast<int>(mine))) - 1 : G;
}

// Gives lane l the sum of chunk l of those that begin at `from`.
template <int G, bool aligned, class T>
__device__ __forceinline__ T chunk_sums(const T* a, const T* b, u32 length, u32 from) {
  constexpr u32 chunk = G * Part<T>::count;
  const u32 lane = threadIdx.x % G;
  T sums[G];
#pragma unroll
  for (u32 q = 0; q < G; q++) {
    sums[q] = 0;
    if (from + q * chunk < length) sums[q] = products<aligned>(a, b, length, from + q * chunk + lane * Part<T>::count).sum();
  }
#pragma unroll
  for (int halvings = 1; 1 << halvings <= G; halvings++) {
    const u32 bit = G >> halvings;
    const bool upper = lane & bit;
#pragma unroll
    for (u32 n = 0; n < G / 2; n++) {
      if (n >= bit) break;
      const T other = __shfl_xor_sync(0xFFFFFFFF, upper ? sums[n] : sums[n + bit], static_cast<int>(bit), G);
      sums[n] = plus(upper ? sums[n + bit] : sums[n], other);
    }
  }
  return sums[0];
}

template <int G, bool aligned, class T>
__global__ void __launch_bounds__(warp_threads) warp(Draws<T> d) {
  if (*d.fault) return;
  constexpr u32 chunk = G * Part<T>::count, span = G * chunk;
  const u32 lane = threadIdx.x % G;
  const u64 groups = u64{gridDim.x} * (warp_threads / G);
  const u64 first = (u64{blockIdx.x} * warp_threads + threadIdx.x) / G, first_of_warp = first - threadIdx.x % 32 / G;
  for (u64 base = first_of_warp; base < d.count; base += groups) {
    const u64 mine = base + (first - first_of_warp), i = mine < d.count ? mine : d.count - 1;
    const T *const a = d.first_row(i), *const b = d.second_row(i);
    const u64 random = d.random(i);
    // Sums over the chunks of the last span, going on from the spans before.
    T before = 0, up_to = 0;
    for (u32 from = 0; from < d.length; from += span) {
      before = __shfl_sync(0xFFFFFFFF, up_to, G - 1, G);
      up_to = plus(before, sums_up_to<G>(chunk_sums<G, aligned>(a, b, d.length, from)));
    }
    const T total = __shfl_sync(0xFFFFFFFF, up_to, G - 1, G), wanted = share(random, total);
    u32 at = (d.length - 1) / span * span;
    if (d.length > span) {
      // Several spans: again, up to the one that is wanted.
      bool searching = true;
      T sum = 0;
      for (u32 from = 0; from < d.length; from += span) {
        const T next = plus(sum, sums_up_to<G>(chunk_sums<G, aligned>(a, b, d.length, from)));
        const T end = __shfl_sync(0xFFFFFFFF, next, G - 1, G);
        if (searching && wanted < end) {
          searching = false;
          at = from;
          before = sum;
          up_to = next;
        }
        sum = end;
      }
    }
    const u32 q = min(first_lane<G>(wanted < up_to), G - 1u);
    const T chunks_before = __shfl_sync(0xFFFFFFFF, up_to, static_cast<int>(q > 0 ? q - 1 : 0), G);
    if (q > 0) before = chunks_before;
    at += q * chunk + lane * Part<T>::count;
    const Part<T> p = products<aligned>(a, b, d.length, at);
    const T up_to_lane = plus(before, sums_up_to<G>(p.sum()));
    const T lanes_before = __shfl_up_sync(0xFFFFFFFF, up_to_lane, 1, G);
    const u32 found_in = min(first_lane<G>(wanted < up_to_lane), G - 1u);
    if (lane != found_in || mine >= d.count) continue;
    T sum = lane > 0 ? lanes_before : before;
    u32 e = 0;
#pragma unroll
    for (int k = 0; k < Part<T>::count; k++) {
      sum = plus(sum, p.of[k]);
      e += !(wanted < sum);
    }
    if (!is_sum(total)) *d.fault = 1;
    d.out[i] = static_cast<std::int32_t>(settled(a, b, d.length, at + min(e, Part<T>::count - 1u)));
  }
}

// --- pieces: 8 lanes a draw, whose sums are those of primitives/kernels/random/draw_products.h, bit by bit

constexpr u32 piece = 8, pieces_in_block = 8, block = piece * pieces_in_block;

// Gives lane c the sum of the numbers c of all lanes, ((0+4)+(1+5))+((2+6)+(3+7)).
template <class T>
__device__ __forceinline__ T sum_of_each(T (&x)[8]) {
  const u32 c = threadIdx.x % 8;
  const auto round = [&](int bit, T low, T high) {
    const bool upper = c & bit;
    const T other = __shfl_xor_sync(0xFFFFFFFF, upper ? low : high, bit, 8);
    return plus(upper ? high : low, other);
  };
  T y[4], z[2];
#pragma unroll
  for (int n = 0; n < 4; n++) y[n] = round(4, x[n], x[n + 4]);
#pragma unroll
  for (int n = 0; n < 2; n++) z[n] = round(1, y[2 * n], y[2 * n + 1]);
  return round(2, z[0], z[1]);
}

// Finds the first number up to which the sum is above what is wanted, else the last above 0.
template <class T>
struct Finder {
  T wanted, sum, before;
  u32 seen = 0, place = 0, last = 0;
  __device__ Finder(T wanted, T from) : wanted(wanted), sum(from), before(from) {}
  __device__ void pass(T v) {
    sum = plus(sum, v);
    const bool goes_on = !(wanted < sum);
    place += goes_on;
    if (goes_on) before = sum;
    if (v > 0) last = seen;
    seen++;
  }
  __device__ u32 result() const { return place < seen ? place : last; }
};
// The same over the numbers that 8 lanes have.
template <class T>
__device__ __forceinline__ u32 found_among(T mine, T wanted, T& before) {
  Finder<T> f(wanted, before);
#pragma unroll
  for (int k = 0; k < 8; k++) f.pass(__shfl_sync(0xFFFFFFFF, mine, k, 8));
  before = f.before;
  return f.result();
}

template <class T>
__device__ __forceinline__ T product_at(const T* a, const T* b, u32 length, u32 at) {
  return at < length ? times(a[at], b[at]) : T{0};
}
template <class T>
__device__ __forceinline__ T piece_sums(const T* a, const T* b, u32 length, u32 from) {
  T x[pieces_in_block];
#pragma unroll
  for (u32 p = 0; p < pieces_in_block; p++) x[p] = product_at(a, b, length, from + p * piece + threadIdx.x % 8);
  return sum_of_each(x);
}
// Gives lane c the sum of block c of those that begin at `from`.
template <class T>
__device__ __forceinline__ T block_sums(const T* a, const T* b, u32 length, u32 from) {
  T x[8];
#pragma unroll
  for (u32 k = 0; k < 8; k++) {
    x[k] = 0;
    const u32 at = from + k * block;
    if (at >= length) continue;
    T p[pieces_in_block];
#pragma unroll
    for (u32 n = 0; n < pieces_in_block; n++) p[n] = product_at(a, b, length, at + n * piece + threadIdx.x % 8);
    x[k] = p[0];
#pragma unroll
    for (u32 n = 1; n < pieces_in_block; n++) x[k] = plus(x[k], p[n]);
  }
  return sum_of_each(x);
}

constexpr u32 pieces_threads = 256;

template <bool one_block, class T>
__global__ void __launch_bounds__(pieces_threads) pieces(Draws<T> d) {
  if (*d.fault) return;
  const u32 c = threadIdx.x % 8;
  const u64 groups = u64{gridDim.x} * (pieces_threads / 8);
  const u64 first = (u64{blockIdx.x} * pieces_threads + threadIdx.x) / 8, first_of_warp = first - threadIdx.x % 32 / 8;
  for (u64 base = first_of_warp; base < d.count; base += groups) {
    const u64 mine = base + (first - first_of_warp), i = mine < d.count ? mine : d.count - 1;
    const T *const a = d.first_row(i), *const b = d.second_row(i);
    const u64 random = d.random(i);
    T total = 0, before = 0, sums = 0;
    u32 place = 0;
    if constexpr (one_block) {
      sums = piece_sums(a, b, d.length, 0);
#pragma unroll
      for (int k = 0; k < 8; k++) total = plus(total, __shfl_sync(0xFFFFFFFF, sums, k, 8));
    } else {
      for (u32 from = 0; from < d.length; from += 8 * block) {
        sums = block_sums(a, b, d.length, from);
#pragma unroll
        for (int k = 0; k < 8; k++) total = plus(total, __shfl_sync(0xFFFFFFFF, sums, k, 8));
      }
    }
    T wanted;
    if constexpr (sizeof(T) == sizeof(double))
      wanted = times(rd::fraction(random), total);
    else
      wanted = share(random, total);
    if constexpr (!one_block) {
      const u32 blocks = (d.length + block - 1) / block;
      Finder<T> f(wanted, 0);
      for (u32 from = 0; from < blocks; from += 8) {
        if (blocks > 8) sums = block_sums(a, b, d.length, from * block);
#pragma unroll
        for (u32 k = 0; k < 8; k++) {
          const T v = __shfl_sync(0xFFFFFFFF, sums, static_cast<int>(k), 8);
          if (from + k < blocks) f.pass(v);
        }
      }
      before = f.before;
      place = block * f.result();
      sums = piece_sums(a, b, d.length, place);
    }
    place += piece * found_among(sums, wanted, before);
    place += found_among(product_at(a, b, d.length, place + c), wanted, before);
    if (c != 0 || mine >= d.count) continue;
    if (!is_sum(total)) *d.fault = 1;
    d.out[i] = static_cast<std::int32_t>(place);
  }
}

}  // namespace griddle::cuda::samplers
