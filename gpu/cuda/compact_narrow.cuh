// Selection of narrow elements: of one or two bytes, and of packed bits. A lane takes 16 bytes at once, packs what it keeps of
// them in registers and puts it behind what the lanes before it keep, in shared memory, from which it goes out.
#pragma once

#include "gpu/cuda/compact.cuh"

namespace griddle::cuda {

// What a lane keeps: so many bits, from the lowest on; zeros follow.
struct Kept {
  u32 of[4], count;
};

// Gives 64 bits in two words: those of `first`, of which there are so many, before those of `second`.
__device__ __forceinline__ uint2 joined(u32 first, u32 count, u32 second) {
  return make_uint2(first | __funnelshift_lc(0, second, count), __funnelshift_lc(second, 0, count));
}
// The same of words in pairs.
__device__ __forceinline__ void join(uint2 first, u32 count, uint2 second, u32 (&of)[4]) {
  const bool far = count >= 32;
  const u32 by = far ? count - 32 : count;
  const u32 low = __funnelshift_lc(0, second.x, by), middle = __funnelshift_lc(second.x, second.y, by),
            high = __funnelshift_lc(second.y, 0, by);
  of[0] = first.x | (far ? 0 : low);
  of[1] = first.y | (far ? low : middle);
  of[2] = far ? middle : high;
  of[3] = far ? high : 0;
}

// Puts what each lane of a warp keeps to its place, a bit of the room. Lanes come one behind the other: of those that have part
// of a word, only the first can begin in a word before. That one stores it, and the others add theirs.
__device__ __forceinline__ void put(u32* room, u32 at, const Kept& kept) {
  const u32 begin = at % 32, end = begin + kept.count;
  u32* const word = room + at / 32;
  if (begin == 0 && end != 0) word[0] = kept.of[0];
#pragma unroll
  for (u32 k = 1; k < 5; k++)
    if (32 * k < end) word[k] = __funnelshift_l(kept.of[k - 1], k < 4 ? kept.of[k] : 0, begin);
  __syncwarp();
  if (begin != 0 && end != begin) atomicOr(word, kept.of[0] << begin);
}

// Puts what the lanes of a warp keep of each row, as kept_of(row) says, from a bit of the room on; gives the bit behind it.
// Counts of two rows are summed at once.
template <int rows, class KeptOf>
__device__ __forceinline__ u32 put_rows(u32* room, u32 begin, int lane, KeptOf kept_of) {
  if (lane == 0) room[begin / 32] = 0;
  __syncwarp();
  const auto add = [](u32 a, u32 b) { return a + b; };
#pragma unroll
  for (int r = 0; r < rows; r += 2) {
    const bool two = r + 1 < rows;
    const Kept first = kept_of(r), second = two ? kept_of(r + 1) : Kept{};
    const u32 through = warp_scan(first.count | second.count << 16, lane, add), all = __shfl_sync(whole_warp, through, 31);
    put(room, begin + (through & 0xFFFF) - first.count, first);
    begin += all & 0xFFFF;
    if (two) put(room, begin + (through >> 16) - second.count, second);
    begin += all >> 16;
  }
  __syncwarp();
  return begin;
}

// Doubles each of 8 bits.
__device__ __forceinline__ u32 doubled_bits(u32 x) {
  x = (x | x << 4) & 0x0F0F;
  x = (x | x << 2) & 0x3333;
  x = (x | x << 1) & 0x5555;
  return x | x << 1;
}
// Names for four bits those of four bytes that they keep, in order, as __byte_perm takes it; zeros follow. The upper half says
// how many bits these bytes have.
__device__ __forceinline__ u32 bytes_kept(u32 bits) {
  u32 names = 0x4444, count = 0;
#pragma unroll
  for (u32 i = 0; i < 4; i++)
    if (bits >> i & 1) {
      names ^= (4 ^ i) << (4 * count);
      count++;
    }
  return names | count << 19;
}

// Keeps the elements whose bit of `mask` is set, as Select does, in place likewise.
template <class T, int warps_, int rows>
struct SelectNarrow : MarkedTiles<T, warps_, rows * 512 / sizeof(T)> {
  using Marked = MarkedTiles<T, warps_, rows * 512 / sizeof(T)>;
  using Marked::warps, Marked::part_length, Marked::item_bytes, Marked::count_in, Marked::tile_length, Marked::out;
  using typename Marked::Carry;
  static constexpr bool writes_stage = false;
  static constexpr u32 row_bytes = 512, part_bytes = rows * row_bytes;
  static constexpr u32 room_bytes = part_bytes + 32;  // kept bytes begin where they do in their 16 of the result
  static constexpr u32 scratch_bytes = warps * room_bytes;
  static_assert(sizeof(T) <= 2);

  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    constexpr u32 words = part_length / 32;
    const u32 count = count_in(tile);
    return marks_kept_in<words>(stage + item_bytes, warp * words, count, count == tile_length, lane);
  }
  __device__ void write(char* stage, char* scratch, u32, int warp, int lane, Carry before) const {
    using Marks = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::uint8_t>;  // of a lane
    const u32 names = bytes_kept(lane % 16);
    const uint4* const part = reinterpret_cast<const uint4*>(stage + warp * part_bytes) + lane;
    const Marks* const marks = reinterpret_cast<const Marks*>(stage + item_bytes) + warp * rows * 32 + lane;
    char* const room = scratch + warp * room_bytes;
    char* const to = reinterpret_cast<char*>(out + before);
    const u32 begin = static_cast<u32>(reinterpret_cast<std::uintptr_t>(to) % 16);
    const u32 end = put_rows<rows>(reinterpret_cast<u32*>(room), 8 * begin, lane,
                                   [&](int r) {
                                     const u32 mine = sizeof(T) == 2 ? doubled_bits(marks[r * 32]) : marks[r * 32];
                                     return packed(names, part[r * 32], mine);
                                   }) /
                    8;
    char* const base = to - begin;
    const u32 first_whole = begin != 0, past_whole = end / 16;
    for (u32 c = first_whole + lane; c < past_whole; c += 32)
      reinterpret_cast<uint4*>(base)[c] = reinterpret_cast<const uint4*>(room)[c];
    // Half of the lanes write what comes before whole pieces, the others what comes behind.
    const u32 p = lane < 16 ? lane : past_whole * 16 + lane - 16;
    if (lane < 16 ? begin != 0 && p >= begin && p < end : past_whole >= first_whole && p < end) base[p] = room[p];
    __syncwarp();
  }

 private:
  // Packs those of sixteen bytes that are kept. Lanes have the names of bytes by the bits of a lane, of 16.
  static __device__ __forceinline__ Kept packed(u32 names, const uint4& bytes, u32 keeps) {
    const u32 words[] = {bytes.x, bytes.y, bytes.z, bytes.w};
    u32 kept[4], count[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const u32 name = __shfl_sync(whole_warp, names, keeps >> (4 * i), 16);
      kept[i] = __byte_perm(words[i], 0, name);
      count[i] = name >> 16;
    }
    Kept all;
    const u32 half = count[0] + count[1];
    join(joined(kept[0], count[0], kept[1]), half, joined(kept[2], count[2], kept[3]), all.of);
    all.count = half + count[2] + count[3];
    return all;
  }
};

// --- packed bits

// For a byte of a mask: which bits move up by one, two and four places, in this order, so that those of the mask are its highest
// (Warren, Hacker's Delight, 7-4), in a byte each; the fourth has the number of bits that are not in the mask.
__device__ inline u32 moves_of(u32 mask) {
  u32 zeros = (~mask & 0xFF) >> 1, moves = (8 - __popc(mask)) << 24;
#pragma unroll
  for (int step = 0; step < 3; step++) {
    u32 odd = zeros ^ zeros >> 1;  // where an odd number of zeros of the mask is above
    odd ^= odd >> 2;
    odd ^= odd >> 4;
    const u32 moved = odd & mask;
    moves |= moved << (8 * step);
    mask = (mask ^ moved) | moved << (1 << step);
    zeros &= ~odd;
  }
  return moves;
}

// Keeps the bits whose bit of `mask` is set. All bits of `out` are zero before, which is not `in`.
template <int warps_, int rows>
struct SelectBits : List<warps_ * rows * 4096>, Counting {
  using Carry = u32;
  using Base = List<warps_ * rows * 4096>;
  using Base::tile_length, Base::first_in, Base::count_in;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_words = rows * 128;
  static constexpr u32 room_words = part_words + 4;
  static constexpr u32 mask_at = tile_length / 8, stage_bytes = 2 * mask_at;
  static constexpr u32 table_at = warps * room_words * sizeof(u32), scratch_bytes = table_at + 256 * sizeof(u32);
  static constexpr int pieces = 2;

  const u32* in;
  const u32* mask;
  u32* out;

  __device__ void prepare(char* scratch) const {
    for (u32 i = threadIdx.x; i < 256; i += blockDim.x) reinterpret_cast<u32*>(scratch + table_at)[i] = moves_of(i);
  }
  __device__ void finish(Carry) const {}
  __device__ void pieces_of(u32 tile, Piece (&p)[2]) const {
    const u32 bytes = up_to_16((count_in(tile) + 7) / 8);
    p[0] = {in + first_in(tile) / 32, 0, bytes};
    p[1] = {mask + first_in(tile) / 32, mask_at, bytes};
  }
  __device__ Carry sum(char* stage, u32 tile, int warp, int lane) const {
    const u32 count = count_in(tile);
    return marks_kept_in<part_words>(stage + mask_at, warp * part_words, count, count == tile_length, lane);
  }
  __device__ void write(char* stage, char* scratch, u32, int warp, int lane, Carry before) const {
    const u32 begin = before % 128;
    u32* const room = reinterpret_cast<u32*>(scratch) + warp * room_words;
    const uint4* const part = reinterpret_cast<const uint4*>(stage) + warp * rows * 32 + lane;
    const uint4* const marks = reinterpret_cast<const uint4*>(stage + mask_at) + warp * rows * 32 + lane;
    const u32* const table = reinterpret_cast<const u32*>(scratch + table_at);
    const u32 end = put_rows<rows>(room, begin, lane, [&](int r) {
      const uint4 x = part[r * 32], m = marks[r * 32];
      u32 a, b, c, d;
      const u32 x0 = bits_kept(table, x.x, m.x, a), x1 = bits_kept(table, x.y, m.y, b), x2 = bits_kept(table, x.z, m.z, c),
                x3 = bits_kept(table, x.w, m.w, d);
      Kept all;
      join(joined(x0, a, x1), a + b, joined(x2, c, x3), all.of);
      all.count = a + b + c + d;
      return all;
    });
    u32* const to = out + before / 128 * 4;
    const u32 first_whole = begin != 0, past_whole = end / 128;
    for (u32 c = first_whole + lane; c < past_whole; c += 32)
      reinterpret_cast<uint4*>(to)[c] = reinterpret_cast<const uint4*>(room)[c];
    // Four lanes write what comes before whole pieces, four what comes behind. Words at either end are others' as well.
    const u32 w = lane < 4 ? lane : past_whole * 4 + lane - 4, at = 32 * w;
    if (lane < 8 && (lane < 4 ? begin != 0 : past_whole >= first_whole) && at + 32 > begin && at < end) {
      if (at >= begin && at + 32 <= end)
        to[w] = room[w];
      else
        atomicOr(to + w, room[w]);
    }
    __syncwarp();
  }

 private:
  // Gives those bits of x that the mask has, from the lowest on: they move up within each byte, and bytes then down behind each
  // other.
  static __device__ __forceinline__ u32 bits_kept(const u32* table, u32 x, u32 mask, u32& count) {
    const auto moves = [&](u32 byte) { return table[__byte_perm(mask, 0, 0x4440 | byte)]; };
    const u32 a = moves(0), b = moves(1), c = moves(2), d = moves(3);
    const u32 low = __byte_perm(a, b, 0x5140), high = __byte_perm(a, b, 0x7362), of_low = __byte_perm(c, d, 0x5140),
              of_high = __byte_perm(c, d, 0x7362);
    // What moves is added where it goes and taken from where it was.
    x &= mask;
    x += x & __byte_perm(low, of_low, 0x5410);
    x += (x & __byte_perm(low, of_low, 0x7632)) * 3;
    x += (x & __byte_perm(high, of_high, 0x5410)) * 15;
    const u32 zeros = __byte_perm(high, of_high, 0x7632) * 0x01010101;  // up to each byte, with its own
    count = 32 - (zeros >> 24);
    return __funnelshift_r(x & 0xFF, 0, zeros) + __funnelshift_r(x & 0xFF00, 0, zeros >> 8) +
           __funnelshift_r(x & 0xFF0000, 0, zeros >> 16) + __funnelshift_r(x & 0xFF000000, 0, zeros >> 24);
  }
};

}  // namespace griddle::cuda
