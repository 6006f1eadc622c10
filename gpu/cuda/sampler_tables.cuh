// Methods of drawing by products of weights that keep a table of sums (samplers.cuh). They walk over lists of draws: documents,
// whose draws follow each other and share a row of the first table, or, where there are none given, single draws.
#pragma once

#include "gpu/cuda/sampler_draws.cuh"

namespace griddle::cuda::samplers {

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

}  // namespace griddle::cuda::samplers
