// Moves elements of intervals, by elements or by chunks of 128 bits; finds what is wrong with intervals.
#pragma once

#include <type_traits>

#include "gpu/cuda/intervals.cuh"

namespace griddle::cuda::intervals {

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
      // What comes behind is the result's as well, where one was there before.
#pragma unroll
      for (u32 k = 0; k < words_a_chunk; k++)
        if (const u32 mask = mask_of(k, 0, limit)) put<wide>(to + k, words[k], mask);
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
