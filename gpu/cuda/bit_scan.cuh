// Scans of packed bits with any boolean function, as a job of the look-back engine.
#pragma once

#include "gpu/cuda/lookback.cuh"

namespace griddle::cuda {

// What a scan with a boolean function does to the bit before: keeps or flips it, or fixes it. The function of each element is
// given by its bit x: `fixes` is (x and fix_x) xor fix, `flips` (the value, where it fixes) is (x and flip_x) xor flip.
struct BitMap {
  u32 fix_x, fix, flip_x, flip;
  u32 start;        // the bit before the first element …
  u32 first_flips;  // … which is negated where the function would negate it
};

// Scans packed bits. `parity` tells that no element fixes the bit: ≠` and =`.
template <bool parity, int warps_, int rows>
struct BitScan : List<warps_ * rows * 32 * 128> {
  // Bit 1: fixes, bit 0: flips or the fixed value.
  using Carry = u32;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_bytes = rows * 32 * 16;
  static constexpr u32 stage_bytes = warps * part_bytes;
  static constexpr u32 scratch_bytes = 0;
  static constexpr int pieces = 1;

  const char* in;
  u32* out;
  BitMap map;

  __device__ Carry identity() const { return 0; }
  __device__ Carry initial() const { return 2 | map.start; }
  static __device__ Carry join(Carry a, Carry b) { return b & 2 ? b : a ^ b; }
  __device__ Carry combine(Carry a, Carry b) const { return join(a, b); }
  __device__ void finish(Carry) const {}
  // Gives how many bytes of the list a tile and all after it have: whole words of 64 bits.
  __device__ i64 bytes_from(u32 tile) const { return (this->length + 63) / 64 * 8 - static_cast<i64>(tile) * stage_bytes; }
  __device__ void pieces_of(u32 tile, Piece (&p)[1]) const {
    const i64 bytes = min(static_cast<i64>(stage_bytes), bytes_from(tile));
    p[0] = {in + static_cast<i64>(tile) * stage_bytes, 0, up_to_16(static_cast<u32>(bytes))};
  }
  // Gives the functions up to each bit of a word.
  __device__ void through(u32 x, u32& fixes, u32& flips) const {
    if constexpr (parity) {
      fixes = 0;
      flips = x ^ map.flip;
#pragma unroll
      for (int d = 1; d < 32; d *= 2) flips ^= flips << d;
    } else {
      fixes = (x & map.fix_x) ^ map.fix;
      flips = (x & map.flip_x) ^ map.flip;
#pragma unroll
      for (int d = 1; d < 32; d *= 2) {
        flips ^= (flips << d) & ~fixes;
        fixes |= fixes << d;
      }
    }
  }
  __device__ int4 read(const char* stage, u32 tile, u32 at) const {
    int4 x = reinterpret_cast<const int4*>(stage)[at];
    if (tile == 0 && at == 0) x.x ^= map.first_flips;
    return x;
  }
  __device__ Carry sum(const char* stage, u32 tile, int warp, int lane) const {
    Carry so_far = 0;
    if constexpr (parity) {
      u32 all = 0;
#pragma unroll
      for (int r = 0; r < rows; r++) {
        const int4 x = read(stage, tile, (warp * rows + r) * 32 + lane);
        all ^= x.x ^ x.y ^ x.z ^ x.w;
      }
      so_far = __popc(__reduce_xor_sync(whole_warp, all)) & 1;  // an even number of words: map.flip cancels
    } else {
      for (int r = 0; r < rows; r++) {
        const int4 x = read(stage, tile, (warp * rows + r) * 32 + lane);
        Carry c = 0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
          u32 fixes, flips;
          through(i == 0 ? x.x : i == 1 ? x.y : i == 2 ? x.z : x.w, fixes, flips);
          c = join(c, (fixes >> 31) << 1 | flips >> 31);
        }
        so_far = join(so_far, shuffle(warp_scan(c, lane, join), 31));
      }
    }
    return so_far;
  }
  __device__ void write(const char* stage, char*, u32 tile, int warp, int lane, Carry before) const {
    const i64 left = bytes_from(tile);
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 at = (warp * rows + r) * 32 + lane;
      u32 y[4];
      before = parity ? flipped(read(stage, tile, at), lane, before, y) : scanned(read(stage, tile, at), lane, before, y);
      const i64 byte = static_cast<i64>(at) * 16;
      if (byte < left) {
        // Memory of arrays reaches to the next multiple of 16 bytes.
        __stcs(reinterpret_cast<int4*>(out) + static_cast<i64>(tile) * (stage_bytes / 16) + at, bits_as<int4>(y));
      }
    }
  }

 private:
  // Scans what the lanes of a warp have, whose first comes behind `before`; gives what comes behind their last.
  __device__ Carry scanned(const int4& x, int lane, Carry before, u32 (&y)[4]) const {
    u32 fixes[4], flips[4];
    through(x.x, fixes[0], flips[0]);
    through(x.y, fixes[1], flips[1]);
    through(x.z, fixes[2], flips[2]);
    through(x.w, fixes[3], flips[3]);
    Carry upto[4];
    Carry c = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      upto[i] = c;
      c = join(c, (fixes[i] >> 31) << 1 | flips[i] >> 31);
    }
    const Carry all = warp_scan(c, lane, join);
    Carry ahead = __shfl_up_sync(whole_warp, all, 1);
    ahead = lane == 0 ? before : join(before, ahead);
#pragma unroll
    for (int i = 0; i < 4; i++) y[i] = flips[i] ^ (~fixes[i] & (0u - (join(ahead, upto[i]) & 1)));
    return join(before, __shfl_sync(whole_warp, all, 31));
  }
  // The same where no element fixes the bit: a vote has all that lanes need of those before them.
  __device__ Carry flipped(const int4& x, int lane, Carry before, u32 (&y)[4]) const {
    u32 fixes;
    through(x.x, fixes, y[0]);
    through(x.y, fixes, y[1]);
    through(x.z, fixes, y[2]);
    through(x.w, fixes, y[3]);
    const auto last_of = [](u32 word) { return static_cast<u32>(static_cast<int>(word) >> 31); };
#pragma unroll
    for (int i = 1; i < 4; i++) y[i] ^= last_of(y[i - 1]);
    const u32 odd = __ballot_sync(whole_warp, static_cast<int>(y[3]) < 0);
    const u32 ahead = 0u - ((__popc(odd & ((1u << lane) - 1)) ^ before) & 1);
#pragma unroll
    for (u32& word : y) word ^= ahead;
    return before ^ (__popc(odd) & 1);
  }
};

}  // namespace griddle::cuda
