// Compaction by a mask as a job of the look-back engine: keeps the flagged elements, or splits by flags. The selection is made in
// the same pass that finds out where its results go.
#pragma once

#include "gpu/cuda/lookback.cuh"

namespace griddle::cuda {

// Gives a word of the mask of a tile, which lies in shared memory, without bits past the end of `count` elements.
__device__ __forceinline__ u32 mask_word(const char* mask, u32 i, u32 count) {
  const u32 word = reinterpret_cast<const u32*>(mask)[i];
  return i * 32 + 32 <= count ? word : i * 32 >= count ? 0 : word & ((1u << (count - i * 32)) - 1);
}

// Counts, with all lanes of a warp, the marks in so many words from the first one on.
template <u32 words>
__device__ __forceinline__ u32 marks_in(const char* mask, u32 first, u32 count, int lane) {
  u32 marks = 0;
#pragma unroll
  for (u32 i = lane; i < words; i += 32) marks += __popc(mask_word(mask, first + i, count));
  return __reduce_add_sync(whole_warp, marks);
}

// Copies `count` elements of a warp's shared memory to consecutive global memory.
template <class T>
__device__ __forceinline__ void copy_out(T* to, const T* from, u32 count, int lane) {
  for (u32 i = lane; i < count; i += 32) to[i] = from[i];
}

// What selections of elements by a mask have in common: tiles of `warps_` parts, in shared memory before their words of the mask.
template <class T, int warps_, u32 part>
struct MarkedTiles : List<warps_ * part>, Counting {
  using Carry = u32;
  using Base = List<warps_ * part>;
  using Base::tile_length, Base::first_in, Base::count_in;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true;
  static constexpr u32 part_length = part;
  static constexpr u32 item_bytes = tile_length * sizeof(T);
  static constexpr u32 mask_bytes = tile_length / 8;
  static constexpr u32 stage_bytes = item_bytes + mask_bytes;
  static constexpr int pieces = 2;

  const T* in;
  const u32* mask;
  T* out;
  u64* kept;

  __device__ void finish(Carry all) const {
    if (kept) *kept = all;
  }
  __device__ void pieces_of(u32 tile, Piece (&p)[2]) const {
    const u32 count = count_in(tile);
    p[0] = {in + first_in(tile), 0, up_to_16(count * sizeof(T))};
    p[1] = {mask + first_in(tile) / 32, item_bytes, up_to_16((count + 7) / 8)};
  }
  __device__ Carry sum(const char* stage, u32 tile, int warp, int lane) const {
    constexpr u32 words = part_length / 32;
    return marks_in<words>(stage + item_bytes, warp * words, count_in(tile), lane);
  }
};

// Keeps the elements whose bit of `mask` is set (Select), and with `both` puts the others, in order, to `rest`. Bits from
// `length` on may be anything. In place (out == in) it works where one tile a block is the driver: what a tile overwrites belongs
// to itself and to tiles whose sums it has seen, and a tile is loaded before its sum is published.
template <class T, bool both, int warps_, int rows>
struct Select : MarkedTiles<T, warps_, rows * row_length> {
  using Marked = MarkedTiles<T, warps_, rows * row_length>;
  using Marked::part_length, Marked::item_bytes, Marked::first_in, Marked::count_in, Marked::out;
  using typename Marked::Carry;
  static constexpr bool writes_stage = true;
  static constexpr u32 scratch_bytes = both ? item_bytes : 0;

  T* rest;

  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const u32 count = count_in(tile);
    T* part = reinterpret_cast<T*>(stage) + warp * part_length;
    T* others = reinterpret_cast<T*>(scratch) + warp * part_length;
    struct alignas(sizeof(T) * nibble <= 16 ? sizeof(T) * nibble : 16) Group {
      T of[nibble];
    };
    u32 kept_here = 0;
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 first_word = warp * (part_length / 32) + r * nibble;
      // All lanes read the row's four words; a lane's rank comes from the bits before its own.
      u32 below = 0, all = 0, mine = 0;
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const u32 word = mask_word(stage + item_bytes, first_word + i, count);
        if (i == lane / 8) {
          mine = word >> (lane % 8 * nibble) & 15;
          below = all + __popc(word & ((1u << (lane % 8 * nibble)) - 1));
        }
        all += __popc(word);
      }
      const Group g = reinterpret_cast<const Group*>(part)[r * 32 + lane];
      __syncwarp();
      u32 to = kept_here + below;
      if constexpr (both) {
        u32 to_other = r * row_length + lane * nibble - to;
#pragma unroll
        for (int i = 0; i < nibble; i++) {
          if (mine >> i & 1)
            part[to++] = g.of[i];
          else
            others[to_other++] = g.of[i];
        }
      } else {
#pragma unroll
        for (int i = 0; i < nibble; i++)
          if (mine >> i & 1) part[to++] = g.of[i];
      }
      kept_here += all;
    }
    __syncwarp();
    copy_out(out + before, part, kept_here, lane);
    if constexpr (both) {
      const i64 first = first_in(tile) + warp * part_length;
      const u32 here = count > warp * part_length ? min(part_length, count - warp * part_length) : 0;
      copy_out(rest + (first - before), others, here - min(here, kept_here), lane);
    }
  }
};

}  // namespace griddle::cuda
