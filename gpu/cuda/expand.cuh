// Repeats elements over intervals: by a tile of any counts, or by groups of counts of 8 bits.
#pragma once

#include <type_traits>

#include "gpu/cuda/intervals.cuh"
#include "gpu/plugin_abi.h"

namespace griddle::cuda::intervals {

// --- expand: each output is the value of its interval, or the interval's number where there are no values

// Outputs of `each` places in a row, of which the bits of `word` say where intervals begin; `rank` intervals begin before.
template <class T, u32 each>
__device__ __forceinline__ void repeat_kept(T (&of)[each], const T* kept, u32 word, u32 rank) {
#pragma unroll
  for (u32 e = 0; e < each; e++) {
    rank += word >> e & 1;
    of[e] = kept[rank];
  }
}
// Bytes by four: those that may be wanted lie in a row, and one instruction picks among them.
template <u32 each>
__device__ __forceinline__ void repeat_kept(std::uint8_t (&of)[each], const std::uint8_t* kept, u32 word, u32 rank) {
  const u32* const words = reinterpret_cast<const u32*>(kept);
#pragma unroll
  for (u32 e = 0; e < each; e += 4) {
    const u32 marks = word >> e & 15;
    rank += marks & 1;
    const u32 wanted = __funnelshift_r(words[rank / 4], words[rank / 4 + 1], rank % 4 * 8);
    const u32 picks = (marks >> 1 & 1) * 0x1110 + (marks >> 2 & 1) * 0x1100 + (marks >> 3) * 0x1000;
    reinterpret_cast<u32*>(of)[e / 4] = __byte_perm(wanted, 0, picks);
    rank += __popc(marks >> 1);
  }
}

template <class T, class S>
__global__ void __launch_bounds__(threads) expand(Intervals<S> in, const T* values, T* out) {
  if (tile_number() >= in.tiles) return;
  Tile<T>& tile = own_tile<T>();
  const Outputs o = prepare(
      in, tile_number(), tile, [=](u64 i) { return values ? values[i] : static_cast<T>(i); }, [](T v, u64, u64) { return v; });
  constexpr u32 each = 16 / sizeof(T);
  T* const to = out + o.base;
  for (u32 place = (o.first / each + threadIdx.x % 32) * each; place < o.last; place += 32 * each) {
    const u32 word = tile.marks[place / 32] >> place % 32;
    const u32 rank = tile.before[place / 32] + __popc(tile.marks[place / 32] & (1u << place % 32) - 1);
    alignas(16) T of[each];
    repeat_kept(of, tile.kept, word, rank);
    if (place >= o.first && place + each <= o.last) {
      *reinterpret_cast<uint4*>(to + place) = *reinterpret_cast<const uint4*>(of);
    } else {
#pragma unroll
      for (u32 e = 0; e < each; e++)
        if (place + e >= o.first && place + e < o.last) to[place + e] = of[e];
    }
  }
}

// --- expand by counts of 8 bits. A warp takes a group of them, which has few enough outputs that nothing needs to be searched,
// and a third of the bytes is read: counts themselves instead of 32-bit sums of them.

constexpr u32 counts_a_lane = griddle_count_group / 32, marked_words = 64;
static_assert(counts_a_lane == 8);

// The outputs of each group.
__global__ void __launch_bounds__(threads) sum_groups(const std::int8_t* counts, u64 count, std::int32_t* sums) {
  const u64 group = u64{blockIdx.x} * warps + threadIdx.x / 32,
            first = group * griddle_count_group + threadIdx.x % 32 * counts_a_lane;
  if (group * griddle_count_group >= count) return;
  u32 sum = 0;
  if (first + counts_a_lane <= count) {
    const uint2 eight = *reinterpret_cast<const uint2*>(counts + first);
    sum = __dp4a(eight.x, 0x01010101u, __dp4a(eight.y, 0x01010101u, 0u));
  } else {
    for (u64 i = first; i < count; i++) sum += static_cast<u32>(counts[i]);
  }
#pragma unroll
  for (u32 o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xFFFFFFFF, sum, o);
  if (threadIdx.x % 32 == 0) sums[group] = static_cast<std::int32_t>(sum);
}

// What a warp knows of its group: a window of marks, one where an interval begins, how many come before each word, and the values
// of intervals that are not empty, from 1 on.
template <class T>
struct Group {
  u32 marks[marked_words], before[marked_words];
  alignas(16) T kept[griddle_count_group + 16];
};

// Ends are where the outputs of groups end.
template <class T>
__global__ void __launch_bounds__(threads)
    expand_group(const std::int8_t* counts, u64 count, const double* ends, const T* values, T* out) {
  __shared__ Group<T> groups[warps];
  const u32 lane = threadIdx.x % 32;
  const u64 number = u64{blockIdx.x} * warps + threadIdx.x / 32, first = number * griddle_count_group + lane * counts_a_lane;
  if (number * griddle_count_group >= count) return;
  Group<T>& group = groups[threadIdx.x / 32];
  const u64 start = number == 0 ? 0 : static_cast<u64>(ends[number - 1]);
  alignas(16) std::int8_t lengths[counts_a_lane] = {};
  alignas(16) T of[counts_a_lane] = {};
  if (first + counts_a_lane <= count) {
    *reinterpret_cast<uint2*>(lengths) = *reinterpret_cast<const uint2*>(counts + first);
    if (values) {
      using Piece = std::conditional_t<sizeof of == 8, uint2, uint4>;
#pragma unroll
      for (u32 k = 0; k < sizeof of / sizeof(Piece); k++)
        reinterpret_cast<Piece*>(of)[k] = reinterpret_cast<const Piece*>(values + first)[k];
    }
  } else {
#pragma unroll
    for (u32 k = 0; k < counts_a_lane; k++)
      if (first + k < count) {
        lengths[k] = counts[first + k];
        if (values) of[k] = values[first + k];
      }
  }
  // Outputs and intervals that are not empty, in the lower and the upper half: there are 255 times 127 outputs at most.
  u32 own = 0;
#pragma unroll
  for (u32 k = 0; k < counts_a_lane; k++) own += static_cast<u32>(lengths[k]) + (lengths[k] != 0 ? 0x10000 : 0);
  const u32 up_to = sum_up_to(own);
  const u32 outputs = __shfl_sync(0xFFFFFFFF, up_to, 31) & 0xFFFF;
  if (outputs == 0) return;
  const u64 base = start & ~u64{31};
  const u32 begin = static_cast<u32>(start - base), end = begin + outputs;
  u32 at = begin + (up_to - own & 0xFFFF), rank = up_to - own >> 16;
  u32 starts[counts_a_lane];
#pragma unroll
  for (u32 k = 0; k < counts_a_lane; k++) {
    starts[k] = lengths[k] != 0 ? at : ~0u;
    at += static_cast<u32>(lengths[k]);
    if (lengths[k] != 0) group.kept[++rank] = values ? of[k] : static_cast<T>(first + k);
  }
  constexpr u32 each = 16 / sizeof(T), window = marked_words * 32;
  T* const to = out + base;
  u32 ranked = 0;
  for (u32 from = 0; from < end; from += window) {
#pragma unroll
    for (u32 k = 0; k < marked_words; k += 32) group.marks[k + lane] = 0;
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < counts_a_lane; k++)
      if (const u32 place = starts[k] - from; place < window) atomicOr(&group.marks[place / 32], 1u << place % 32);
    __syncwarp();
    const u32 low = group.marks[2 * lane], here = __popc(low) + __popc(group.marks[2 * lane + 1]);
    const u32 marked = sum_up_to(here);
    group.before[2 * lane] = ranked + marked - here;
    group.before[2 * lane + 1] = ranked + marked - here + __popc(low);
    ranked += __shfl_sync(0xFFFFFFFF, marked, 31);
    __syncwarp();
    const u32 limit = min(window, end - from);
    for (u32 place = lane * each; place < limit; place += 32 * each) {
      const u32 marks = group.marks[place / 32];
      alignas(16) T repeated[each];
      repeat_kept(repeated, group.kept, marks >> place % 32, group.before[place / 32] + __popc(marks & (1u << place % 32) - 1));
      const u32 goes = from + place;
      if (goes >= begin && goes + each <= end) {
        *reinterpret_cast<uint4*>(to + goes) = *reinterpret_cast<const uint4*>(repeated);
      } else {
#pragma unroll
        for (u32 e = 0; e < each; e++)
          if (goes + e >= begin && goes + e < end) to[goes + e] = repeated[e];
      }
    }
    __syncwarp();
  }
}

}  // namespace griddle::cuda::intervals
