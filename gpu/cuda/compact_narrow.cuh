// Selection of narrow elements. Of one or two bytes: a lane takes 16 bytes at once, packs those that it keeps in registers and
// puts words together in shared memory, from which 16 bytes at a time go out. Of packed bits likewise, a word a lane.
#pragma once

#include "gpu/cuda/compact.cuh"

namespace griddle::cuda {

// Doubles each of 8 bits.
__device__ __forceinline__ u32 doubled_bits(u32 x) {
  x = (x | x << 4) & 0x0F0F;
  x = (x | x << 2) & 0x3333;
  x = (x | x << 1) & 0x5555;
  return x | x << 1;
}
// Names for four bits those of four bytes that they keep, in order, as __byte_perm takes it; zeros follow.
__device__ __forceinline__ u32 bytes_kept(u32 bits) {
  u32 names = 0x4444, count = 0;
#pragma unroll
  for (u32 i = 0; i < 4; i++)
    if (bits >> i & 1) {
      names ^= (4 ^ i) << (4 * count);
      count++;
    }
  return names;
}

// Keeps the elements whose bit of `mask` is set, as Select does, in place likewise.
template <class T, int warps_, int rows>
struct SelectNarrow : MarkedTiles<T, warps_, rows * 512 / sizeof(T)> {
  using Marked = MarkedTiles<T, warps_, rows * 512 / sizeof(T)>;
  using Marked::warps, Marked::part_length, Marked::item_bytes, Marked::count_in, Marked::out;
  using typename Marked::Carry;
  static constexpr bool writes_stage = false;
  static constexpr u32 row_bytes = 512, part_bytes = rows * row_bytes;
  static constexpr u32 room_bytes = part_bytes + 32;  // kept bytes begin where they do in their 16 of the result
  static constexpr u32 scratch_bytes = warps * room_bytes;
  static_assert(sizeof(T) <= 2);

  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    constexpr u32 in_lane = 16 / sizeof(T);
    const u32 count = count_in(tile), names = bytes_kept(lane % 16);
    const uint4* const part = reinterpret_cast<const uint4*>(stage + warp * part_bytes);
    char* const room = scratch + warp * room_bytes;
    char* const to = reinterpret_cast<char*>(out + before);
    const u32 begin = static_cast<u32>(reinterpret_cast<std::uintptr_t>(to) % 16);
    for (u32 i = lane; i < room_bytes / 16; i += 32) reinterpret_cast<uint4*>(room)[i] = make_uint4(0, 0, 0, 0);
    __syncwarp();
    u32 end = begin;
#pragma unroll
    for (int r = 0; r < rows; r++) {
      const u32 first = warp * part_length + (r * 32 + lane) * in_lane;
      u32 mine = mask_word(stage + item_bytes, first / 32, count) >> (first % 32) & ((1u << in_lane) - 1);
      if constexpr (sizeof(T) == 2) mine = doubled_bits(mine);
      const u32 through = warp_scan(static_cast<u32>(__popc(mine)), lane, [](u32 a, u32 b) { return a + b; });
      const uint4 v = part[r * 32 + lane];
      const u32 first_kept = __popc(mine & 255), shift = 8 * first_kept;
      const u64 low = packed(names, v.x, v.y, mine & 255), high = packed(names, v.z, v.w, mine >> 8);
      put(room, end + through - __popc(mine), __popc(mine), first_kept < 8 ? low | high << shift : low,
          first_kept == 0 ? 0 : high >> (64 - shift));
      end += __shfl_sync(whole_warp, through, 31);
    }
    __syncwarp();
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
  // Gives those of eight bytes that are kept, one behind the other; zeros follow.
  static __device__ __forceinline__ u64 packed(u32 names, u32 low, u32 high, u32 keeps) {
    const u32 first = __byte_perm(low, 0, __shfl_sync(whole_warp, names, keeps & 15));
    const u32 second = __byte_perm(high, 0, __shfl_sync(whole_warp, names, keeps >> 4));
    return first | static_cast<u64>(second) << (8 * __popc(keeps & 15));
  }
  // Puts so many bytes to a place of the room, where all is zero. Only words at either end are other lanes' as well.
  static __device__ __forceinline__ void put(char* room, u32 at, u32 count, u64 low, u64 high) {
    const u32 of[] = {0, static_cast<u32>(low), static_cast<u32>(low >> 32), static_cast<u32>(high), static_cast<u32>(high >> 32),
                      0};
    const u32 begin = at % 4, end = begin + count;
    u32* const word = reinterpret_cast<u32*>(room) + at / 4;
#pragma unroll
    for (u32 k = 0; k < 5; k++) {
      const u32 bits = __funnelshift_l(of[k], of[k + 1], 8 * begin);
      if (4 * k >= begin && 4 * k + 4 <= end)
        word[k] = bits;
      else if (4 * k < end)
        atomicOr(word + k, bits);
    }
  }
};

// Gives those bits of x that the mask has, from the lowest on (Warren, Hacker's Delight, 7-4).
__device__ __forceinline__ u32 bits_kept(u32 x, u32 mask) {
  x &= mask;
  u32 zeros = ~mask << 1;
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    u32 odd = zeros ^ zeros << 1;  // where an odd number of zeros of the mask is below
    odd ^= odd << 2;
    odd ^= odd << 4;
    odd ^= odd << 8;
    odd ^= odd << 16;
    const u32 moved = odd & mask, of_x = x & moved;
    mask = (mask ^ moved) | moved >> by;
    x = (x ^ of_x) | of_x >> by;
    zeros &= ~odd;
  }
  return x;
}

// Keeps the bits whose bit of `mask` is set. All bits of `out` are zero before, which is not `in`.
template <int warps_, int rows>
struct SelectBits : List<warps_ * rows * 1024>, Counting {
  using Carry = u32;
  using Base = List<warps_ * rows * 1024>;
  using Base::tile_length, Base::first_in, Base::count_in;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_words = rows * 32;
  static constexpr u32 room_words = part_words + 4;
  static constexpr u32 mask_at = tile_length / 8, stage_bytes = 2 * mask_at, scratch_bytes = warps * room_words * sizeof(u32);
  static constexpr int pieces = 2;

  const u32* in;
  const u32* mask;
  u32* out;

  __device__ void finish(Carry) const {}
  __device__ void pieces_of(u32 tile, Piece (&p)[2]) const {
    const u32 bytes = up_to_16((count_in(tile) + 7) / 8);
    p[0] = {in + first_in(tile) / 32, 0, bytes};
    p[1] = {mask + first_in(tile) / 32, mask_at, bytes};
  }
  __device__ Carry sum(const char* stage, u32 tile, int warp, int lane) const {
    return marks_in<rows * 32>(stage + mask_at, warp * rows * 32, count_in(tile), lane);
  }
  __device__ void write(char* stage, char* scratch, u32 tile, int warp, int lane, Carry before) const {
    const u32 count = count_in(tile), begin = before % 32;
    u32* const room = reinterpret_cast<u32*>(scratch) + warp * room_words;
    for (u32 i = lane; i < room_words; i += 32) room[i] = 0;
    __syncwarp();
    u32 end = begin;
#pragma unroll
    for (int r = 0; r < rows; r++) {
      const u32 i = (warp * rows + r) * 32 + lane, keeps = mask_word(stage + mask_at, i, count), kept = __popc(keeps);
      const u32 through = warp_scan(kept, lane, [](u32 a, u32 b) { return a + b; });
      const u32 bits = bits_kept(reinterpret_cast<const u32*>(stage)[i], keeps), at = end + through - kept;
      if (const u32 low = bits << at % 32) atomicOr(room + at / 32, low);
      if (const u32 high = __funnelshift_l(bits, 0, at % 32)) atomicOr(room + at / 32 + 1, high);
      end += __shfl_sync(whole_warp, through, 31);
    }
    __syncwarp();
    // Words at either end are others' as well.
    u32* const to = out + before / 32;
    for (u32 w = lane; w * 32 < end; w += 32)
      if (w * 32 >= begin && w * 32 + 32 <= end)
        to[w] = room[w];
      else
        atomicOr(to + w, room[w]);
    __syncwarp();
  }
};

}  // namespace griddle::cuda
