// Intervals of elements: repeated, gathered, scattered and moved, whatever their lengths.
//
// Markers of intervals and their outputs stand in one sequence: marker i before the outputs of interval i, hence at i + what
// comes before it. A warp takes a constant number of places of that sequence (a load-balancing search), so that neither empty
// intervals nor long ones burden it. It marks in shared memory where intervals that are not empty begin, and keeps what is needed
// of each; output p belongs to as many intervals after the first as there are marks up to it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

namespace griddle::cuda::intervals {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 warps = 8, threads = warps * 32;
// Words of marks in a tile, a few for each lane: more where little is kept of an interval. Outputs begin anywhere in a word.
template <class Kept>
constexpr u32 words_of = sizeof(Kept) <= 2 ? 64 : 32;
template <class Kept>
constexpr u32 places_of = (words_of<Kept> - 1) * 32;

// Where intervals start: sums of the counts before each, of which `ends` has those up to each. Ends are i32, or doubles where
// they may be more.
template <class E>
struct Starts {
  const E* ends;
  __device__ __forceinline__ u64 operator()(u64 i) const { return i == 0 ? 0 : static_cast<u64>(ends[i - 1]); }
};
// The same in chunks of 128 bits, of elements so wide: the first chunk that begins in the interval or after it.
constexpr u32 chunk = 128, words_a_chunk = chunk / 32;
template <u32 wide, class E>
struct StartsInChunks {
  const E* ends;
  __device__ __forceinline__ u64 operator()(u64 i) const { return (Starts<E>{ends}(i)*wide + chunk - 1) / chunk; }
};

template <class S>
struct Intervals {
  S starts;
  u64 total;  // outputs
  u32 tiles;
  const u32* firsts;  // the first marker of each tile, and at the end the number of intervals
};

template <class Kept>
constexpr u64 tiles_of(u64 count, u64 total) {
  return (count + total + places_of<Kept> - 1) / places_of<Kept>;
}

// Finds the first interval whose marker is not before a place, from `low` on; `high` if there is none before it.
template <class S>
__device__ __forceinline__ u32 first_marker(S starts, u64 place, u32 low, u32 high) {
  while (low < high) {
    const u32 middle = low + (high - low) / 2;
    if (middle + starts(middle) < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Finds the first marker of each tile. A block's tiles follow each other: all its threads look for where they begin and end.
template <class S>
__global__ void __launch_bounds__(threads) partition(S starts, u64 count, u32 tiles, u32 places, u32* firsts) {
  const u32 first = blockIdx.x * threads, tile = first + threadIdx.x;
  // Half of the threads look for where the first tile begins, half for the last one.
  constexpr u32 seekers = threads / 2;
  __shared__ u32 lows[2], highs[2], counts[2];
  const u32 side = threadIdx.x / seekers, seeker = threadIdx.x % seekers;
  const u64 sought = u64{side ? min(first + threads - 1, tiles) : first} * places;
  u32 low = 0, high = static_cast<u32>(count);
  if (seeker == 0) counts[side] = 0;
  while (__syncthreads_or(low < high)) {
    const u32 step = (high - low + seekers - 1) / seekers;
    const u64 probe = u64{low} + u64{seeker} * step;
    const u32 before = __popc(__ballot_sync(0xFFFFFFFF, probe < high && probe + starts(probe) < sought));
    if (seeker % 32 == 0 && before) atomicAdd(&counts[side], before);
    __syncthreads();
    if (seeker == 0) {
      const u32 n = counts[side];
      const u64 end = u64{low} + u64{n} * step;
      lows[side] = n == 0 ? low : low + (n - 1) * step + 1;
      highs[side] = n == 0 ? low : end < high ? static_cast<u32>(end) : high;
      counts[side] = 0;
    }
    __syncthreads();
    low = lows[side];
    high = highs[side];
  }
  if (seeker == 0) lows[side] = low;
  __syncthreads();
  // Between them, places of markers at even distances narrow down where each begins.
  __shared__ u64 samples[threads];
  const u32 from = lows[0], length = lows[1] - from;
  const auto sampled = [=](u32 k) { return from + static_cast<u32>(u64{k} * length / threads); };
  samples[threadIdx.x] = sampled(threadIdx.x) + starts(sampled(threadIdx.x));
  __syncthreads();
  if (tile > tiles) return;
  const u64 place = u64{tile} * places;
  u32 k = 0;
#pragma unroll
  for (u32 step = threads / 2; step > 0; step /= 2)
    if (samples[k + step - 1] < place) k += step;
  if (samples[k] < place) k++;
  firsts[tile] = first_marker(starts, place, k == 0 ? from : min(sampled(k - 1) + 1, from + length),
                              k == threads ? from + length : sampled(k));
}

// A tile's outputs: places `first` to `last` from `base` on, which is a multiple of 32.
struct Outputs {
  u64 base;
  u32 first, last;
};

template <class Kept>
struct Tile {
  static constexpr u32 words = words_of<Kept>, places = places_of<Kept>;
  u32 marks[words], before[words];  // a word of marks, and how many marks come before it
  // Of the interval that goes on from the tile before, then of each that begins here. Bytes are read some words further.
  alignas(16) Kept kept[places / 2 + 10];

  // How many intervals begin up to a place.
  __device__ __forceinline__ u32 rank(u32 place) const {
    return before[place / 32] + __popc(marks[place / 32] & (2u << place % 32) - 1);
  }
};

// Gives the sum over the lanes up to the own one.
__device__ __forceinline__ u32 sum_up_to(u32 own) {
#pragma unroll
  for (u32 o = 1; o < 32; o *= 2) {
    const u32 below = __shfl_up_sync(0xFFFFFFFF, own, o);
    if (threadIdx.x % 32 >= o) own += below;
  }
  return own;
}

// Fills in what a warp knows of its tile. `load` reads what is needed of interval i, from which `keep` makes what is kept of it,
// given where it starts.
template <class S, class Kept, class Load, class Keep>
__device__ __forceinline__ Outputs prepare(const Intervals<S>& in, u32 number, Tile<Kept>& tile, Load load, Keep keep) {
  constexpr u32 each = Tile<Kept>::words / 32, places = Tile<Kept>::places;
  const u32 lane = threadIdx.x % 32;
  const u32 first = in.firsts[number], end = in.firsts[number + 1];
#pragma unroll
  for (u32 k = 0; k < each; k++) tile.marks[k * 32 + lane] = 0;
  const u64 from = u64{number} * places - first, to_place = u64{number + 1} * places - end;
  const u64 to = to_place < in.total ? to_place : in.total, base = from & ~u64{31};
  // So many of the intervals stay in registers.
  constexpr u32 held = each == 1 ? 4 : 6;
  u32 at[held];
  decltype(load(u64{})) of[held];
  u64 starts[held];
#pragma unroll
  for (u32 h = 0; h < held; h++) {
    const u32 i = first + h * 32 + lane;
    at[h] = ~0u;
    if (i >= end) continue;
    starts[h] = in.starts(i);
    const u64 next = in.starts(u64{i} + 1);
    of[h] = load(i);
    if (next != starts[h]) at[h] = static_cast<u32>(starts[h] - base);
  }
  Kept going_on;
  if (lane == 0 && first > 0) going_on = keep(load(first - 1), first - 1, in.starts(first - 1));
  __syncwarp();
#pragma unroll
  for (u32 h = 0; h < held; h++)
    if (at[h] != ~0u) atomicOr(&tile.marks[at[h] / 32], 1u << at[h] % 32);
  for (u32 i = first + held * 32 + lane; i < end; i += 32) {
    const u64 start = in.starts(i);
    if (in.starts(u64{i} + 1) == start) continue;
    const u32 place = static_cast<u32>(start - base);
    atomicOr(&tile.marks[place / 32], 1u << place % 32);
  }
  __syncwarp();
  u32 own = 0;
#pragma unroll
  for (u32 k = 0; k < each; k++) own += __popc(tile.marks[lane * each + k]);
  u32 up_to = sum_up_to(own);
  up_to -= own;
#pragma unroll
  for (u32 k = 0; k < each; k++) {
    tile.before[lane * each + k] = up_to;
    up_to += __popc(tile.marks[lane * each + k]);
  }
  __syncwarp();
  if (lane == 0 && first > 0) tile.kept[0] = going_on;
#pragma unroll
  for (u32 h = 0; h < held; h++)
    if (at[h] != ~0u) tile.kept[tile.rank(at[h])] = keep(of[h], first + h * 32 + lane, starts[h]);
  for (u32 i = first + held * 32 + lane; i < end; i += 32) {
    const u64 start = in.starts(i);
    if (in.starts(u64{i} + 1) == start) continue;
    tile.kept[tile.rank(static_cast<u32>(start - base))] = keep(load(i), i, start);
  }
  __syncwarp();
  return {base, static_cast<u32>(from - base), to > from ? static_cast<u32>(to - base) : static_cast<u32>(from - base)};
}

// The warp's tile in shared memory, and its number.
template <class Kept>
__device__ __forceinline__ Tile<Kept>& own_tile() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<Tile<Kept>*>(memory)[threadIdx.x / 32];
}
template <class Kept>
constexpr u32 shared_bytes = warps * sizeof(Tile<Kept>);
__device__ __forceinline__ u32 tile_number() { return blockIdx.x * warps + threadIdx.x / 32; }

}  // namespace griddle::cuda::intervals
