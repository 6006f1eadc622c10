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
// The same in words of 32 bits, of elements so wide: the first word that begins in the interval or after it.
template <u32 wide, class E>
struct StartsInWords {
  const E* ends;
  __device__ __forceinline__ u64 operator()(u64 i) const { return (Starts<E>{ends}(i)*wide + 31) / 32; }
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
  Kept kept[places / 2 + 2];        // of the interval that goes on from the tile before, then of each that begins here

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
    u32 rank = tile.before[place / 32] + __popc(tile.marks[place / 32] & (1u << place % 32) - 1);
    alignas(16) T of[each];
#pragma unroll
    for (u32 e = 0; e < each; e++) {
      rank += word >> e & 1;
      of[e] = tile.kept[rank];
    }
    if (place >= o.first && place + each <= o.last) {
      *reinterpret_cast<uint4*>(to + place) = *reinterpret_cast<const uint4*>(of);
    } else {
#pragma unroll
      for (u32 e = 0; e < each; e++)
        if (place + e >= o.first && place + e < o.last) to[place + e] = of[e];
    }
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

// --- moves of narrower elements, by words of 32 bits

// Gives `length` bits, at most 32, from a place on; reads no word that has none of them. Bits above are anything.
__device__ __forceinline__ u32 bits_at(const u32* __restrict__ from, i64 place, u32 length) {
  const i64 word = place >> 5;
  const u32 shift = static_cast<u32>(place & 31), low = from[word];
  return shift + length > 32 ? __funnelshift_r(low, from[word + 1], shift) : low >> shift;
}
__device__ __forceinline__ u32 first_bits(u32 n) { return n >= 32 ? ~0u : (1u << n) - 1; }

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

// Outputs one behind the other: a thread makes a word of them, out of as many pieces as intervals have in it. Outputs are words
// here, and an interval is kept where it is the one that a word begins in.
template <u32 wide, class E, class P>
__global__ void __launch_bounds__(threads)
    gather_narrow(Intervals<StartsInWords<wide, E>> in, u64 count, u64 bits_in_all, const P* __restrict__ from,
                  const u32* __restrict__ source, u32* __restrict__ out) {
  if (tile_number() >= in.tiles) return;
  Tile<u32>& tile = own_tile<u32>();
  const E* const ends = in.starts.ends;
  const Starts<E> starts{ends};
  const Outputs o = prepare(
      in, tile_number(), tile, [](u64 i) { return static_cast<u32>(i); }, [](u32 i, u64, u64) { return i; });
  for (u32 p = threadIdx.x % 32; p < o.last; p += 32) {
    if (p < o.first) continue;
    const u64 begin = (o.base + p) * 32, limit = begin + 32 < bits_in_all ? begin + 32 : bits_in_all;
    u64 at = begin;
    u32 i = tile.kept[tile.rank(p)], word = 0;
    while (at < limit) {
      const u64 end = static_cast<u64>(ends[i]) * wide;
      if (end > at) {
        const u64 up_to = end < limit ? end : limit;
        const u32 length = static_cast<u32>(up_to - at);
        const i64 where = static_cast<i64>(static_cast<u64>(from[i]) * wide + (at - starts(i) * wide));
        word |= (bits_at(source, where, length) & first_bits(length)) << (at - begin);
        at = up_to;
        i++;
      } else {
        // Nobody knows how many empty intervals follow.
        u32 low = i + 1, high = static_cast<u32>(count) - 1;
        while (low < high && static_cast<u64>(ends[low]) * wide <= at) {
          const u32 middle = low + (high - low) / 2;
          if (static_cast<u64>(ends[middle]) * wide <= at)
            low = middle + 1;
          else
            high = middle;
        }
        i = low;
      }
    }
    out[o.base + p] = word;
  }
}

// Outputs anywhere: intervals are counted in words of the result that they have a part in, of which a thread writes one.
template <u32 wide, class E, class P>
__global__ void __launch_bounds__(threads) count_words(const E* ends, u64 count, const P* to, E* words_of) {
  constexpr i64 each = 32 / wide;
  for (u64 i = u64{blockIdx.x} * threads + threadIdx.x; i < count; i += u64{gridDim.x} * threads) {
    const i64 length = static_cast<i64>(ends[i]) - (i == 0 ? 0 : static_cast<i64>(ends[i - 1])), place = static_cast<i64>(to[i]);
    words_of[i] = length == 0 ? E{0} : static_cast<E>((place + length - 1) / each - place / each + 1);
  }
}
template <u32 wide, class E, class P>
__global__ void __launch_bounds__(threads)
    scatter_narrow(Intervals<Starts<E>> in, const E* __restrict__ ends, const P* __restrict__ from, const P* __restrict__ to,
                   const u32* __restrict__ source, u32* __restrict__ out) {
  if (tile_number() >= in.tiles) return;
  Tile<u32>& tile = own_tile<u32>();
  const Starts<E> starts{ends};
  const Outputs o = prepare(
      in, tile_number(), tile, [](u64 i) { return static_cast<u32>(i); }, [](u32 i, u64, u64) { return i; });
  constexpr u32 at_once = 4;
  for (u32 first = threadIdx.x % 32; first < o.last; first += 32 * at_once) {
    u32 of[at_once], masks[at_once];
    i64 goes[at_once];
#pragma unroll
    for (u32 n = 0; n < at_once; n++) {
      const u32 p = first + n * 32;
      if (p < o.first || p >= o.last) continue;
      const u32 i = tile.kept[tile.rank(p)];
      const i64 before = static_cast<i64>(starts(i)), length = (static_cast<i64>(ends[i]) - before) * static_cast<i64>(wide);
      const i64 to_bit = static_cast<i64>(to[i]) * static_cast<i64>(wide);
      const i64 from_bit = (from ? static_cast<i64>(from[i]) : before) * static_cast<i64>(wide);
      const i64 word = to_bit / 32 + static_cast<i64>(o.base + p - in.starts(i)), begins = to_bit - word * 32;
      const u32 begin = begins > 0 ? static_cast<u32>(begins) : 0;
      const u32 end = begins + length < 32 ? static_cast<u32>(begins + length) : 32;
      of[n] = source ? bits_at(source, from_bit - begins + begin, end - begin) << begin : ~0u;
      masks[n] = first_bits(end) & ~first_bits(begin);
      goes[n] = word;
    }
#pragma unroll
    for (u32 n = 0; n < at_once; n++) {
      const u32 p = first + n * 32;
      if (p >= o.first && p < o.last) put<wide>(out + goes[n], of[n], masks[n]);
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
