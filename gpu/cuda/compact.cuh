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

// Counts the marks in a warp's words of a tile's mask, of which those past the end of `count` elements are cleared first.
template <u32 words>
__device__ __forceinline__ u32 marks_kept_in(char* mask, u32 first, u32 count, bool is_whole, int lane) {
  u32* const own = reinterpret_cast<u32*>(mask) + first;
  u32 marks = 0;
#pragma unroll
  for (u32 i = lane; i < words; i += 32) {
    if (!is_whole) own[i] = mask_word(mask, first + i, count);
    marks += __popc(own[i]);
  }
  __syncwarp();
  return __reduce_add_sync(whole_warp, marks);
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

// Gives the places of the bits of `mask` that are set, and with `both` puts those of the others, in order, to `rest`. A warp
// takes a row of 32 words; each lane has one bit of a word in turn, and what a row gives goes out of shared memory by
// neighbouring lanes.
template <bool both, int warps_, int rows>
struct PlacesOfMarks : List<warps_ * rows * 1024>, Counting {
  using Carry = u32;
  using Base = List<warps_ * rows * 1024>;
  using Base::tile_length, Base::first_in, Base::count_in;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 row_words = 32, row_bits = row_words * 32, part_words = rows * row_words;
  static constexpr u32 stage_bytes = tile_length / 8;
  static constexpr u32 room_words = row_bits + row_words;  // the places of a row, and where those of each word begin
  static constexpr u32 scratch_bytes = warps * room_words * sizeof(u32);
  static constexpr int pieces = 1;

  const u32* mask;
  u32 *out, *rest;

  __device__ void finish(Carry) const {}
  __device__ void pieces_of(u32 tile, Piece (&p)[1]) const {
    p[0] = {mask + first_in(tile) / 32, 0, up_to_16((count_in(tile) + 7) / 8)};
  }
  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    const u32 count = count_in(tile);
    return marks_kept_in<part_words>(stage, warp * part_words, count, count == tile_length, lane);
  }
  __device__ void write(const char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const u32* const part = reinterpret_cast<const u32*>(stage) + warp * part_words;
    u32* const room = reinterpret_cast<u32*>(scratch) + warp * room_words;
    const u32 begin = warp * part_words * 32, count = count_in(tile), mine = count > begin ? count - begin : 0;
    u32 first = static_cast<u32>(first_in(tile)) + begin;
    for (u32 r = 0; r < rows && r * row_bits < mine; r++, first += row_bits) {
      const u32 word = part[r * row_words + lane], own = __popc(word);
      const u32 through = warp_scan(own, lane, [](u32 a, u32 b) { return a + b; }), all = shuffle(through, 31);
      if (!both && all <= sparse_row) {
        u32 at = through - own;
        for (u32 left = word; left != 0; left &= left - 1) room[at++] = first + lane * 32 + __ffs(left) - 1;
      } else {
        put_row(part + r * row_words, room, through - own, all, first, lane);
      }
      __syncwarp();
      copy_out(out + before, room, all, lane);
      if constexpr (both) copy_out(rest + (first - before), room + all, min(row_bits, mine - r * row_bits) - all, lane);
      __syncwarp();
      before += all;
    }
  }

 private:
  // A row with so few marks is taken word by word, each lane its own.
  static constexpr u32 sparse_row = 64;

  // Puts the places of a row, of which `all` are set, in order; of a lane's word they begin at `at`.
  static __device__ __forceinline__ void put_row(const u32* row, u32* room, u32 at, u32 all, u32 first, int lane) {
    u32* const begins = room + row_bits;
    begins[lane] = at;
    __syncwarp();
#pragma unroll 2
    for (u32 w = 0; w < row_words; w += 4) {
      const uint4 four = reinterpret_cast<const uint4*>(row)[w / 4], begin = reinterpret_cast<const uint4*>(begins)[w / 4];
      const u32 words[] = {four.x, four.y, four.z, four.w}, places[] = {begin.x, begin.y, begin.z, begin.w};
#pragma unroll
      for (u32 k = 0; k < 4; k++) {
        const u32 bit = (w + k) * 32 + lane, rank = places[k] + __popc(words[k] & ((1u << lane) - 1));
        const bool is_set = words[k] >> lane & 1;
        if (both || is_set) room[is_set ? rank : all + bit - rank] = first + bit;
      }
    }
  }
};

}  // namespace griddle::cuda
