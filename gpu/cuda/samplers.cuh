// Draws with probability in proportion to products of weights: a row of one table times a row of another, place by place. Every
// method draws from one layout; README.md says how they differ.
//
// Methods with a table of sums walk over lists of draws: documents, whose draws follow each other and share a row of the first
// table, or, where there are none given, single draws.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

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

// --- prefix-linear and prefix-binary: a thread a list, a table of sums of which a column is the thread's

enum class Search { linear, binary };

// Gives the first place of the column whose sum is above what is wanted, from `from` on.
template <Search search, class T>
__device__ __forceinline__ u32 found(const T* column, u64 step, u32 from, u32 to, T wanted) {
  if constexpr (search == Search::linear) {
    while (from < to && !(wanted < column[from * step])) from++;
    return from;
  } else {
    while (from < to) {
      const u32 middle = (from + to) / 2;
      if (wanted < column[middle * step])
        to = middle;
      else
        from = middle + 1;
    }
    return from;
  }
}

constexpr u32 table_threads = 128;

template <Search search, class T>
__global__ void __launch_bounds__(table_threads) prefix(Draws<T> d, T* table) {
  if (*d.fault) return;
  const u64 threads = u64{gridDim.x} * table_threads, thread = u64{blockIdx.x} * table_threads + threadIdx.x;
  T* const column = table + thread;
  for (u64 list = thread; list < d.lists(); list += threads) {
    const u64 end = d.end(list);
    for (u64 i = d.begin(list); i < end; i++) {
      const T *a = d.first_row(i), *b = d.second_row(i);
      T sum = 0;
      for (u32 k = 0; k < d.length; k++) {
        sum = plus(sum, times(a[k], b[k]));
        column[k * threads] = sum;
      }
      if (!is_sum(sum)) *d.fault = 1;
      d.out[i] = static_cast<std::int32_t>(found<search>(column, threads, 0, d.length - 1, share(d.random(i), sum)));
    }
  }
}

// --- transposed and butterfly: W lanes a group, a list each, which help each other to read rows block by block

// Calls draw(i, whether it counts) with each draw of the lane's lists, for all lanes of a warp together: lanes whose lists have
// ended go on with their last draw, for the others' sake.
template <class T, class F>
__device__ __forceinline__ void in_step(const Draws<T>& d, u64 first_list, u64 step, F draw) {
  const u64 lists = d.lists();
  for (u64 base = first_list - threadIdx.x % 32; base < lists; base += step) {
    const u64 list = base + threadIdx.x % 32;
    const bool here = list < lists;
    const u64 begin = here ? d.begin(list) : 0, end = here ? d.end(list) : 0;
    for (u64 i = begin; __any_sync(0xFFFFFFFF, i < end); i++) {
      const u64 last = end > 0 ? end - 1 : 0;
      draw(i < last ? i : last, i < end);
    }
  }
}

constexpr u32 transposed_threads = 128;

template <class T>
__global__ void __launch_bounds__(transposed_threads) transposed(Draws<T> d, T* table) {
  constexpr u32 W = 32;
  __shared__ T tiles[transposed_threads / W][W][W + 1];
  if (*d.fault) return;
  const u32 r = threadIdx.x % W;
  const u64 threads = u64{gridDim.x} * transposed_threads, thread = u64{blockIdx.x} * transposed_threads + threadIdx.x;
  T(*const tile)[W + 1] = tiles[threadIdx.x / W];
  T* const column = table + thread / W * W * d.length + r;
  in_step(d, thread, threads, [&](u64 i, bool counts) {
    const u64 own_a = u64{d.pitch} * static_cast<u32>(d.first_rows[i]), own_b = u64{d.pitch} * static_cast<u32>(d.second_rows[i]);
    // The remnant stands first.
    T sum = 0;
    for (u32 j = 0; j < d.length % W; j++) {
      sum = plus(sum, times(d.first[own_a + j], d.second[own_b + j]));
      column[j * W] = sum;
    }
    for (u32 j = d.length % W; j < d.length; j += W) {
#pragma unroll 8
      for (u32 k = 0; k < W; k++) {
        const u64 a = __shfl_sync(0xFFFFFFFF, own_a, k), b = __shfl_sync(0xFFFFFFFF, own_b, k);
        tile[k][r] = times(d.first[a + j + r], d.second[b + j + r]);
      }
      __syncwarp();
#pragma unroll 8
      for (u32 k = 0; k < W; k++) {
        sum = plus(sum, tile[r][k]);
        column[u64{j + k} * W] = sum;
      }
      __syncwarp();
    }
    if (!counts) return;
    if (!is_sum(sum)) *d.fault = 1;
    d.out[i] = static_cast<std::int32_t>(found<Search::binary>(column, W, 0, d.length - 1, share(d.random(i), sum)));
  });
}

// Gives row k of a block of W draws: products of draw k, whose rows lane k knows, from the place on where its block begins.
// Places below the limit count: a remnant is filled up with zeros. `same`: the block begins at the same place for all.
template <int W, bool same, class T>
__device__ __forceinline__ void read_block(const Draws<T>& d, u32 first_row, u32 second_row, u32 base, u32 limit, T (&a)[W]) {
  const u32 r = threadIdx.x % W;
  const T *const first = d.first + r, *const second = d.second + r;
#pragma unroll
  for (int k = 0; k < W; k++) {
    const u32 row = __shfl_sync(0xFFFFFFFF, first_row, k, W), other_row = __shfl_sync(0xFFFFFFFF, second_row, k, W);
    const u32 from = same ? base : __shfl_sync(0xFFFFFFFF, base, k, W),
              there = same ? limit : __shfl_sync(0xFFFFFFFF, limit, k, W);
    a[k] = r < there ? times(first[u64{row} * d.pitch + from], second[u64{other_row} * d.pitch + from]) : T{0};
  }
}

// Gives lane r the sum of row r of a block.
template <int W, class T>
__device__ __forceinline__ T row_sum(T (&a)[W]) {
  const u32 r = threadIdx.x % W;
#pragma unroll
  for (int halvings = 1; 1 << halvings <= W; halvings++) {
    const u32 bit = W >> halvings;
    const bool upper = r & bit;
#pragma unroll
    for (u32 n = 0; n < W / 2; n++) {
      if (n >= bit) break;
      const T other = __shfl_xor_sync(0xFFFFFFFF, upper ? a[n] : a[n + bit], static_cast<int>(bit), W);
      a[n] = plus(upper ? a[n + bit] : a[n], other);
    }
  }
  return a[0];
}

// Replaces [a b; c d] by [a d; a+b c+d] in log2 W rounds: lanes then hold sums that others look for. Entry (row d, lane r) is the
// sum over places v to w of draw u, where m = d xor (d+1), k = m>>1, u = (d & ~m) + (r & m), v = r & ~k, w = v + k.
template <int W, class T>
__device__ __forceinline__ void make_butterfly(T (&a)[W]) {
  const u32 r = threadIdx.x % W;
#pragma unroll
  for (int bit = 1; bit < W; bit *= 2) {
    const bool upper = r & bit;
#pragma unroll
    for (int d = bit - 1; d < W; d += 2 * bit) {
      const T v = __shfl_xor_sync(0xFFFFFFFF, upper ? a[d] : a[d + bit], bit, W);
      if (upper) a[d] = a[d + bit];
      a[d + bit] = plus(a[d], v);
    }
  }
}

// Gives the place in the block of lane r's draw where the sum, which is `low` before the block and `high` after it, passes what
// is wanted. Lanes fetch for each other what they hold.
template <int W, class T>
__device__ __forceinline__ u32 search_butterfly(const T (&a)[W], T low, T high, T wanted) {
  const u32 r = threadIdx.x % W;
  u32 flip = 0;
#pragma unroll
  for (int halvings = 1; 1 << halvings <= W; halvings++) {
    const u32 bit = W >> halvings, mask = (W - 1) * 2 * bit & (W - 1);
    T y = 0;
#pragma unroll
    for (u32 i = 0; i < W / 2; i++) {
      const u32 row = bit - 1 + 2 * bit * i;
      if (row >= W) break;
      const T t = __shfl_sync(0xFFFFFFFF, a[row], static_cast<int>(r ^ flip), W);
      if (((r ^ row) & mask) == 0) y = t;
    }
    const T middle = r & bit ? high - y : low + y;
    const bool is_low = wanted < middle;
    if (is_low)
      high = middle;
    else
      low = middle;
    flip ^= bit & (is_low ? r : ~r);
  }
  return flip ^ r;
}

constexpr u32 butterfly_threads = 128;

// Only the block that a draw's sum passes is made a butterfly, out of a block of W draws, each of which has a base of its own; of
// the others the sums do.
template <int W, class T>
__global__ void __launch_bounds__(butterfly_threads) butterfly(Draws<T> d, T* table) {
  if (*d.fault) return;
  const u64 threads = u64{gridDim.x} * butterfly_threads, thread = u64{blockIdx.x} * butterfly_threads + threadIdx.x;
  // The remnant stands first.
  const u32 rest = d.length % W, first_length = rest ? rest : W, blocks = (d.length + W - 1) / W;
  T* const column = table + thread / W * W * blocks + threadIdx.x % W;
  const auto base_of = [=](u32 n) { return n ? first_length + (n - 1) * W : 0; };
  in_step(d, thread, threads, [&](u64 i, bool counts) {
    const u32 row = static_cast<u32>(d.first_rows[i]), other_row = static_cast<u32>(d.second_rows[i]);
    T a[W], sum = 0;
    for (u32 n = 0; n < blocks; n++) {
      read_block<W, true>(d, row, other_row, base_of(n), n ? W : first_length, a);
      sum = plus(sum, row_sum<W>(a));
      column[n * W] = sum;
    }
    const T wanted = share(d.random(i), sum);
    const u32 n = found<Search::binary>(column, W, 0, blocks - 1, wanted);
    read_block<W, false>(d, row, other_row, base_of(n), n ? W : first_length, a);
    make_butterfly<W>(a);
    const u32 place = base_of(n) + search_butterfly<W>(a, n ? column[(n - 1) * W] : T{0}, column[n * W], wanted);
    if (!counts) return;
    if (!is_sum(sum)) *d.fault = 1;
    d.out[i] = static_cast<std::int32_t>(settled(d.first_row(i), d.second_row(i), d.length, place));
  });
}

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
