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

#include "gpu/plugin_abi.h"

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
  u32 up_to = own;
#pragma unroll
  for (u32 o = 1; o < 32; o *= 2) {
    const u32 below = __shfl_up_sync(0xFFFFFFFF, up_to, o);
    if (lane >= o) up_to += below;
  }
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
  u32 up_to = own;
#pragma unroll
  for (u32 o = 1; o < 32; o *= 2) {
    const u32 below = __shfl_up_sync(0xFFFFFFFF, up_to, o);
    if (lane >= o) up_to += below;
  }
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
    u32 marked = here;
#pragma unroll
    for (u32 o = 1; o < 32; o *= 2) {
      const u32 below = __shfl_up_sync(0xFFFFFFFF, marked, o);
      if (lane >= o) marked += below;
    }
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

// --- moves of elements of 4 or 8 bytes. `from` and `to` are null where elements come or go one behind the other.

// How far before or behind their places in the sequence outputs come from, or go to, or both.
template <class I>
struct TwoShifts {
  I from, to;
};
template <bool gathers, bool scatters, class E, class P>
struct ShiftOf {
  using Number = std::conditional_t<std::is_same_v<E, double> || std::is_same_v<P, double>, i64, std::int32_t>;
  using Type = std::conditional_t<gathers && scatters, TwoShifts<Number>, Number>;
};
template <bool gathers, bool scatters, class E, class P>
using Shift = typename ShiftOf<gathers, scatters, E, P>::Type;

template <class T, bool gathers, bool scatters, class E, class P>
__global__ void __launch_bounds__(threads)
    move_wide(Intervals<Starts<E>> in, const P* __restrict__ from, const P* __restrict__ to, const T* __restrict__ source,
              T* __restrict__ out) {
  using Kept = Shift<gathers, scatters, E, P>;
  constexpr bool both = gathers && scatters;
  if (tile_number() >= in.tiles) return;
  Tile<Kept>& tile = own_tile<Kept>();
  const auto load = [=](u64 i) {
    if constexpr (both)
      return TwoShifts<P>{from[i], to[i]};
    else
      return (gathers ? from : to)[i];
  };
  const auto keep = [](auto place, u64, u64 start) -> Kept {
    const auto shift = [=](P p) { return static_cast<i64>(p) - static_cast<i64>(start); };
    if constexpr (both)
      return {static_cast<decltype(Kept::from)>(shift(place.from)), static_cast<decltype(Kept::to)>(shift(place.to))};
    else
      return static_cast<Kept>(shift(place));
  };
  const Outputs o = prepare(in, tile_number(), tile, load, keep);
  constexpr u32 at_once = 8;
  for (u32 word = 0; word * 32 < o.last; word += at_once) {
    T of[at_once];
    i64 goes[at_once];
#pragma unroll
    for (u32 n = 0; n < at_once; n++) {
      const u32 p = (word + n) * 32 + threadIdx.x % 32;
      if (p < o.first || p >= o.last) continue;
      const Kept k = tile.kept[tile.rank(p)];
      const i64 output = static_cast<i64>(o.base + p);
      if constexpr (both) {
        of[n] = source[output + k.from];
        goes[n] = output + k.to;
      } else {
        of[n] = source[gathers ? output + k : output];
        goes[n] = scatters ? output + k : output;
      }
    }
#pragma unroll
    for (u32 n = 0; n < at_once; n++) {
      const u32 p = (word + n) * 32 + threadIdx.x % 32;
      if (p >= o.first && p < o.last) out[goes[n]] = of[n];
    }
  }
}

// --- moves of narrower elements, by chunks of 128 bits

__device__ __forceinline__ u32 first_bits(u32 n) { return n >= 32 ? ~0u : (1u << n) - 1; }
// Those bits of word k that bits `begin` to `end` of a chunk have there.
__device__ __forceinline__ u32 mask_of(u32 k, u32 begin, u32 end) {
  const auto up_to = [=](u32 n) { return n > k * 32 ? first_bits(n - k * 32) : 0u; };
  return up_to(end) & ~up_to(begin);
}

// The words of a source from which a chunk comes that begins at any bit there.
struct Loaded {
  u32 words[words_a_chunk + 1], shift;
  __device__ __forceinline__ u32 word(u32 k) const { return __funnelshift_r(words[k], words[k + 1], shift); }
};
// Reads no word that has none of the chunk's bits `begin` to `end`; what comes before them may lie before the source.
__device__ __forceinline__ Loaded load_chunk(const u32* __restrict__ source, i64 place, u32 begin, u32 end) {
  const u32* const from = source + (place >> 5);
  Loaded loaded;
  loaded.shift = static_cast<u32>(place & 31);
  const u32 low = (loaded.shift + begin) / 32, high = (loaded.shift + end - 1) / 32;
#pragma unroll
  for (u32 k = 0; k <= words_a_chunk; k++) loaded.words[k] = k >= low && k <= high ? from[k] : 0;
  return loaded;
}

// Writes those bits of a word that the mask has; other threads may write the others.
template <u32 wide>
__device__ __forceinline__ void put(u32* to, u32 bits, u32 mask) {
  if (mask == ~0u) {
    *to = bits;
  } else if constexpr (wide == 1) {
    if (const u32 zeros = mask & ~bits) atomicAnd(to, ~zeros);
    if (const u32 ones = mask & bits) atomicOr(to, ones);
  } else if constexpr (wide == 8) {
#pragma unroll
    for (u32 k = 0; k < 4; k++)
      if (mask >> 8 * k & 1) reinterpret_cast<std::uint8_t*>(to)[k] = static_cast<std::uint8_t>(bits >> 8 * k);
  } else {
#pragma unroll
    for (u32 k = 0; k < 2; k++)
      if (mask >> 16 * k & 1) reinterpret_cast<std::uint16_t*>(to)[k] = static_cast<std::uint16_t>(bits >> 16 * k);
  }
}

// The sequence of all elements, interval behind interval, in bits. The places of intervals are those that a move begins with.
template <u32 wide, class E>
struct Sequence {
  const E* ends;
  u64 count;
  __device__ __forceinline__ u64 start(u32 i) const { return Starts<E>{ends}(i)*wide; }
  __device__ __forceinline__ u64 end(u32 i) const { return static_cast<u64>(ends[i]) * wide; }
  // The first interval from i on that ends behind a place, of which there is one. Nobody knows how many empty ones come first.
  __device__ __forceinline__ u32 holding(u64 place, u32 i) const {
    if (end(i) > place) return i;
    u32 low = i + 1, high = static_cast<u32>(count) - 1;
    while (low < high) {
      const u32 middle = low + (high - low) / 2;
      if (end(middle) <= place)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

// Elements come from anywhere and go one behind the other: a thread makes a chunk of the sequence, out of as many pieces as
// intervals have in it. Places in a tile are chunks, and an interval is kept where it is the one that a chunk begins in.
template <u32 wide, class E, class P>
__global__ void __launch_bounds__(threads)
    gather_chunks(Intervals<StartsInChunks<wide, E>> in, u64 count, u64 bits_in_all, const P* __restrict__ from,
                  const u32* __restrict__ source, u32* __restrict__ out) {
  if (tile_number() >= in.tiles) return;
  Tile<u32>& tile = own_tile<u32>();
  const Sequence<wide, E> sequence{in.starts.ends, count};
  const Outputs o = prepare(
      in, tile_number(), tile, [](u64 i) { return static_cast<u32>(i); }, [](u32 i, u64, u64) { return i; });
  // Where the first bit of a chunk comes from.
  const auto source_of = [=](u32 i, u64 begin) {
    return static_cast<i64>(static_cast<u64>(from[i]) * wide + begin - sequence.start(i));
  };
  for (u32 p = threadIdx.x % 32; p < o.last; p += 32) {
    if (p < o.first) continue;
    const u64 begin = (o.base + p) * chunk;
    const u32 limit = static_cast<u32>(min(u64{chunk}, bits_in_all - begin));
    u32 words[words_a_chunk] = {};
    u32 at = 0;
    for (u32 i = tile.kept[tile.rank(p)]; at < limit; i++) {
      i = sequence.holding(begin + at, i);
      const u32 up_to = static_cast<u32>(min(sequence.end(i), begin + limit) - begin);
      const Loaded piece = load_chunk(source, source_of(i, begin), at, up_to);
#pragma unroll
      for (u32 k = 0; k < words_a_chunk; k++) words[k] |= piece.word(k) & mask_of(k, at, up_to);
      at = up_to;
    }
    u32* const to = out + begin / 32;
    if (limit == chunk) {
      *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
    } else {
#pragma unroll
      for (u32 k = 0; k < words_a_chunk; k++)
        if (k * 32 < limit) to[k] = words[k];
    }
  }
}

// Elements go anywhere. A thread writes the chunks of the result whose first bits are in its chunk of the sequence, and what
// comes before them in intervals that start there.
template <u32 wide, bool gathers, class E, class P>
__global__ void __launch_bounds__(threads)
    scatter_chunks(Intervals<StartsInChunks<wide, E>> in, u64 count, u64 bits_in_all, const P* __restrict__ from,
                   const P* __restrict__ to, const u32* __restrict__ source, u32* __restrict__ out) {
  if (tile_number() >= in.tiles) return;
  Tile<u32>& tile = own_tile<u32>();
  const Sequence<wide, E> sequence{in.starts.ends, count};
  const Outputs o = prepare(
      in, tile_number(), tile, [](u64 i) { return static_cast<u32>(i); }, [](u32 i, u64, u64) { return i; });

  // A part of an interval that goes to one chunk of the result: to its bits `begin` to `end`.
  struct Part {
    u64 goes;
    i64 comes;  // where the chunk's first bit would come from
    u32 begin, end;
  };
  // What goes to the chunk of the result that has the first bit of the sequence from `at` on which begins one; nothing where
  // that is behind `limit`, or the interval ends.
  const auto whole = [=](u32 i, u64 at, u64 limit) {
    const u64 start = sequence.start(i), end = sequence.end(i), goes = static_cast<u64>(to[i]) * wide;
    const u64 begins = at + (start - at - goes) % chunk, stop = min(begins + chunk, end);
    u64 comes = begins;
    if constexpr (gathers) comes += static_cast<u64>(from[i]) * wide - start;
    return Part{(goes + begins - start) / chunk, static_cast<i64>(comes), 0,
                begins < min(end, limit) ? static_cast<u32>(stop - begins) : 0};
  };
  // What comes before, where the interval starts at `at`.
  const auto head = [=](u32 i, u64 at) {
    const u64 start = sequence.start(i), goes = static_cast<u64>(to[i]) * wide;
    const u32 begin = static_cast<u32>(goes % chunk);
    if (at != start || begin == 0) return Part{0, 0, 0, 0};
    const u64 length = min(sequence.end(i) - start, u64{chunk - begin});
    u64 comes = start;
    if constexpr (gathers) comes = static_cast<u64>(from[i]) * wide;
    return Part{goes / chunk, static_cast<i64>(comes) - begin, begin, begin + static_cast<u32>(length)};
  };
  const auto write = [=](const Part& part) {
    if (part.end == 0) return;
    Loaded loaded;
    if (source) loaded = load_chunk(source, part.comes, part.begin, part.end);
    u32 words[words_a_chunk];
#pragma unroll
    for (u32 k = 0; k < words_a_chunk; k++) words[k] = source ? loaded.word(k) : ~0u;
    u32* const chunk_to = out + part.goes * words_a_chunk;
    if (part.begin == 0 && part.end == chunk) {
      *reinterpret_cast<uint4*>(chunk_to) = make_uint4(words[0], words[1], words[2], words[3]);
    } else {
#pragma unroll
      for (u32 k = 0; k < words_a_chunk; k++)
        if (const u32 mask = mask_of(k, part.begin, part.end)) put<wide>(chunk_to + k, words[k], mask);
    }
  };
  for (u32 p = threadIdx.x % 32; p < o.last; p += 32) {
    if (p < o.first) continue;
    const u64 begin = (o.base + p) * chunk, end = begin + chunk, limit = min(end, bits_in_all);
    u32 i = tile.kept[tile.rank(p)];
    for (u64 at = begin; at < limit; i++) {
      i = sequence.holding(at, i);
      write(whole(i, at, end));
      write(head(i, at));
      at = sequence.end(i);
    }
  }
}

// --- what is wrong with intervals

// Sets `bad` where an interval is not within its bounds. Null places are one behind the other.
template <class E, class P>
__global__ void __launch_bounds__(threads)
    check(const E* ends, u64 count, const P* from, u64 from_length, const P* to, u64 to_length, u32* bad) {
  const auto within = [](P place, u64 length, u64 all) {
    if constexpr (std::is_same_v<P, double>)
      if (!(place >= 0 && place <= 0x1p53 && place == floor(place))) return false;
    return place >= 0 && static_cast<u64>(place) <= all && length <= all - static_cast<u64>(place);
  };
  for (u64 i = u64{blockIdx.x} * threads + threadIdx.x; i < count; i += u64{gridDim.x} * threads) {
    const E start = i == 0 ? E{0} : ends[i - 1];
    bool good = ends[i] >= start;
    const u64 length = static_cast<u64>(ends[i]) - static_cast<u64>(start);
    good =
        good && (from == nullptr || within(from[i], length, from_length)) && (to == nullptr || within(to[i], length, to_length));
    if (!good) *bad = 1;
  }
}

}  // namespace griddle::cuda::intervals
