// Selection of elements of one or two bytes: a lane takes 16 bytes at once, packs those that it keeps in registers and puts words
// together in shared memory, from which 16 bytes at a time go out.
#pragma once

#include "gpu/cuda/lookback.cuh"

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
struct SelectNarrow : List<warps_ * rows * 512 / sizeof(T)>, Counting {
  using Carry = u32;
  using Base = List<warps_ * rows * 512 / sizeof(T)>;
  using Base::tile_length, Base::first_in, Base::count_in;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 row_bytes = 512, part_bytes = rows * row_bytes, part_length = part_bytes / sizeof(T);
  static constexpr u32 room_bytes = part_bytes + 32;  // kept bytes begin where they do in their 16 of the result
  static constexpr u32 item_bytes = tile_length * sizeof(T);
  static constexpr u32 mask_bytes = tile_length / 8;
  static constexpr u32 stage_bytes = item_bytes + mask_bytes;
  static constexpr u32 scratch_bytes = warps * room_bytes;
  static constexpr int pieces = 2;
  static_assert(sizeof(T) <= 2);

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
  // Gives a word of the mask, without bits past the end.
  __device__ u32 mask_word(const char* stage, u32 i, u32 count) const {
    const u32 word = reinterpret_cast<const u32*>(stage + item_bytes)[i];
    return i * 32 + 32 <= count ? word : i * 32 >= count ? 0 : word & ((1u << (count - i * 32)) - 1);
  }
  __device__ Carry sum(const char* stage, u32 tile, int warp, int lane) const {
    const u32 count = count_in(tile);
    Carry c = 0;
#pragma unroll
    for (u32 i = lane; i < part_length / 32; i += 32) c += __popc(mask_word(stage, warp * (part_length / 32) + i, count));
    return __reduce_add_sync(whole_warp, c);
  }
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
      u32 mine = mask_word(stage, first / 32, count) >> (first % 32) & ((1u << in_lane) - 1);
      if constexpr (sizeof(T) == 2) mine = doubled_bits(mine);
      const u32 through = warp_scan(static_cast<u32>(__popc(mine)), lane, [](u32 a, u32 b) { return a + b; });
      const uint4 v = part[r * 32 + lane];
      const u32 at = end + through - __popc(mine);
      put(room, at, names, v.x, v.y, mine & 255);
      put(room, at + __popc(mine & 255), names, v.z, v.w, mine >> 8);
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
  // Puts those of eight bytes that are kept to a place of the room, where all is zero.
  static __device__ __forceinline__ void put(char* room, u32 at, u32 names, u32 low, u32 high, u32 keeps) {
    const u32 first = __byte_perm(low, 0, __shfl_sync(whole_warp, names, keeps & 15));
    const u32 second = __byte_perm(high, 0, __shfl_sync(whole_warp, names, keeps >> 4));
    const u64 both = first | static_cast<u64>(second) << (8 * __popc(keeps & 15));
    const u32 a = static_cast<u32>(both), b = static_cast<u32>(both >> 32), shift = at % 4 * 8;
    u32* const word = reinterpret_cast<u32*>(room) + at / 4;
    if (const u32 bits = a << shift) atomicOr(word, bits);
    if (const u32 bits = __funnelshift_l(a, b, shift)) atomicOr(word + 1, bits);
    if (const u32 bits = __funnelshift_l(b, 0, shift)) atomicOr(word + 2, bits);
  }
};

}  // namespace griddle::cuda
