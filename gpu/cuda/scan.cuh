// Scans as jobs of the look-back engine: any ordered operation on numbers, and all of those on packed bits.
#pragma once

#include <cmath>

#include "gpu/cuda/lookback.cuh"

namespace griddle::cuda {

// Marks packed bits as the type of elements.
struct Bit {};

template <class T>
constexpr __host__ __device__ u32 bytes_of_elements(u32 n) {
  if constexpr (std::is_same_v<T, Bit>)
    return (n + 7) / 8;
  else
    return n * static_cast<u32>(sizeof(T));
}
constexpr __host__ __device__ u32 up_to_16(u32 bytes) { return (bytes + 15) & ~15u; }

// --- operations: what is accumulated, and whether order matters

template <class T>
struct Add {
  using Carry = T;
  static constexpr bool commutative = true;
  static constexpr bool sums = true;
  static __device__ T identity() { return T{}; }
  static __device__ T combine(T a, T b) { return a + b; }
};
template <class T>
struct Multiply {
  using Carry = T;
  static constexpr bool commutative = true;
  static constexpr bool sums = false;
  static __device__ T identity() { return T(1); }
  static __device__ T combine(T a, T b) { return a * b; }
};
template <class T>
struct Minimum {
  using Carry = T;
  static constexpr bool commutative = true;
  static constexpr bool sums = false;
  static __device__ T identity() {
    if constexpr (std::is_same_v<T, double>)
      return INFINITY;
    else
      return static_cast<T>(~(u64{1} << (8 * sizeof(T) - 1)));
  }
  static __device__ T combine(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct Maximum {
  using Carry = T;
  static constexpr bool commutative = true;
  static constexpr bool sums = false;
  static __device__ T identity() {
    if constexpr (std::is_same_v<T, double>)
      return -INFINITY;
    else
      return static_cast<T>(u64{1} << (8 * sizeof(T) - 1));
  }
  static __device__ T combine(T a, T b) { return b > a ? b : a; }
};
// Composes x → scale·x + shift, modulo 2^32: the elements are the maps, and order matters.
struct AffineMap {
  u32 scale, shift;
};
struct Compose {
  using Carry = AffineMap;
  static constexpr bool commutative = false;
  static constexpr bool sums = false;
  static __device__ AffineMap identity() { return {1, 0}; }
  static __device__ AffineMap combine(AffineMap a, AffineMap b) { return {a.scale * b.scale, b.scale * a.shift + b.shift}; }
};

// --- elements in shared memory

template <class In, int count, class Carry>
__device__ __forceinline__ void read_elements(const char* part, u32 first, Carry (&v)[count]) {
  if constexpr (std::is_same_v<In, Bit>) {
    static_assert(8 % count == 0);
    const u32 bits = static_cast<u8>(part[first / 8]) >> (first % 8);
#pragma unroll
    for (int i = 0; i < count; i++) v[i] = static_cast<Carry>(bits >> i & 1);
  } else {
    struct alignas(sizeof(In) * count <= 16 ? sizeof(In) * count : 16) Group {
      In of[count];
    };
    const Group g = *reinterpret_cast<const Group*>(part + first * sizeof(In));
#pragma unroll
    for (int i = 0; i < count; i++) v[i] = static_cast<Carry>(g.of[i]);
  }
}

// Combines 16 bytes of elements; the order does not matter.
template <class In, class Op>
__device__ __forceinline__ typename Op::Carry sum_16(int4 bytes, typename Op::Carry so_far) {
  using Carry = typename Op::Carry;
  if constexpr (Op::sums && sizeof(In) == 1 && sizeof(Carry) == 4) {
    so_far = __dp4a(bytes.x, 0x01010101, so_far);
    so_far = __dp4a(bytes.y, 0x01010101, so_far);
    so_far = __dp4a(bytes.z, 0x01010101, so_far);
    return __dp4a(bytes.w, 0x01010101, so_far);
  } else {
    In of[16 / sizeof(In)];
    memcpy(of, &bytes, 16);
#pragma unroll
    for (In e : of) so_far = Op::combine(so_far, static_cast<Carry>(e));
    return so_far;
  }
}

// Rows of a table that are scanned on their own; a list is a table of one row. A tile never spans rows.
struct Rows {
  i64 length;  // elements a row
  u32 tiles_in_row;
};

// Scans with Op. A warp's part of a tile is `rows` times 32 groups of elements, a group being what a lane reads and writes at
// once.
template <class In, class Out, class Op, int warps_, int rows, bool aligned_ = true>
struct Scan {
  using Carry = typename Op::Carry;
  using Unit = std::conditional_t<std::is_same_v<In, Bit>, u8, In>;
  static constexpr int warps = warps_;
  static constexpr bool aligned = aligned_, writes_stage = false;
  static constexpr bool from_bits = std::is_same_v<In, Bit>;
  static constexpr int group = sizeof(Unit) > sizeof(Out)          ? 16 / sizeof(Unit)
                               : 16 / sizeof(Out) > 8 && from_bits ? 8
                                                                   : 16 / sizeof(Out);
  static constexpr u32 part_length = rows * 32 * group;
  static constexpr u32 tile_length = warps * part_length;
  static constexpr u32 part_bytes = from_bits ? part_length / 8 : part_length * sizeof(Unit);
  static constexpr u32 stage_bytes = warps * part_bytes;
  static constexpr u32 scratch_bytes = 0;
  static constexpr int pieces = 1;
  static_assert(part_bytes % 16 == 0);

  const char* in;
  Out* out;
  Rows table;
  u32 tiles;

  __device__ Carry identity() const { return Op::identity(); }
  __device__ Carry initial() const { return Op::identity(); }
  __device__ Carry combine(Carry a, Carry b) const { return Op::combine(a, b); }
  __device__ u32 origin(u32 tile) const { return tile - tile % table.tiles_in_row; }
  __device__ bool is_last(u32) const { return false; }
  __device__ void finish(Carry) const {}

  // Gives a tile's first element, and how many it has.
  __device__ void place(u32 tile, i64& first, u32& count) const {
    const u32 row = tile / table.tiles_in_row;
    const i64 within = static_cast<i64>(tile - row * table.tiles_in_row) * tile_length;
    first = row * table.length + within;
    count = static_cast<u32>(min(static_cast<i64>(tile_length), table.length - within));
  }
  __device__ void pieces_of(u32 tile, Piece (&p)[1]) const {
    i64 first;
    u32 count;
    place(tile, first, count);
    const u32 bytes = bytes_of_elements<In>(count);
    p[0] = {in + (from_bits ? first / 8 : first * static_cast<i64>(sizeof(Unit))), 0, aligned ? up_to_16(bytes) : bytes};
  }

  __device__ Carry sum(const char* stage, u32, int warp, int lane) const {
    const char* part = stage + warp * part_bytes;
    if constexpr (Op::commutative) {
      Carry c = Op::identity();
      if constexpr (from_bits) {
        static_assert(Op::sums);
        const u32* words = reinterpret_cast<const u32*>(part);
        for (u32 i = lane; i < part_bytes / 4; i += 32) c += static_cast<Carry>(__popc(words[i]));
      } else if constexpr (part_bytes % 512 == 0) {
        const int4* quads = reinterpret_cast<const int4*>(part);
#pragma unroll
        for (u32 i = 0; i < part_bytes / 512; i++) c = sum_16<In, Op>(quads[i * 32 + lane], c);
      } else {
        Carry v[group];
#pragma unroll
        for (int r = 0; r < rows; r++) {
          read_elements<In>(part, (r * 32 + lane) * group, v);
#pragma unroll
          for (Carry e : v) c = Op::combine(c, e);
        }
      }
      if constexpr (Op::sums && std::is_same_v<Carry, int>) {
        return __reduce_add_sync(whole_warp, c);
      } else {
#pragma unroll
        for (int by = 16; by; by /= 2) c = Op::combine(c, __shfl_xor_sync(whole_warp, c, by));
        return c;
      }
    } else {
      Carry so_far = Op::identity();
      Carry v[group];
      for (int r = 0; r < rows; r++) {
        read_elements<In>(part, (r * 32 + lane) * group, v);
        Carry c = v[0];
#pragma unroll
        for (int i = 1; i < group; i++) c = Op::combine(c, v[i]);
        so_far = Op::combine(so_far, shuffle(warp_scan(c, lane, Op::combine), 31));
      }
      return so_far;
    }
  }

  __device__ void write(const char* stage, char*, u32 tile, int warp, int lane, Carry before) const {
    const char* part = stage + warp * part_bytes;
    i64 first;
    u32 count;
    place(tile, first, count);
    const bool whole = aligned && count == tile_length;
    Out* to = out + first + warp * part_length;
    const u32 left = count > warp * part_length ? count - warp * part_length : 0;
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 at = (r * 32 + lane) * group;
      if (!whole && r * 32 * group >= left) break;
      Carry v[group];
      read_elements<In>(part, at, v);
#pragma unroll
      for (int i = 1; i < group; i++) v[i] = Op::combine(v[i - 1], v[i]);
      const Carry through = warp_scan(v[group - 1], lane, Op::combine);
      Carry ahead = shuffle_up(through, 1);
      ahead = lane == 0 ? before : Op::combine(before, ahead);
      before = Op::combine(before, shuffle(through, 31));
      struct alignas(sizeof(Out) * group <= 16 ? sizeof(Out) * group : 16) Group {
        Out of[group];
      } g;
#pragma unroll
      for (int i = 0; i < group; i++) g.of[i] = static_cast<Out>(Op::combine(ahead, v[i]));
      if (whole) {
        if constexpr (sizeof(Group) == 16) {
          __stcs(reinterpret_cast<int4*>(to + at), bits_as<int4>(g));
        } else {
          *reinterpret_cast<Group*>(to + at) = g;
        }
      } else {
#pragma unroll
        for (int i = 0; i < group; i++)
          if (at + i < left) to[at + i] = g.of[i];
      }
    }
  }
};

// --- packed bits

// What a scan with a boolean function does to the bit before: keeps or flips it, or fixes it. The function of each element is
// given by its bit x: `fixes` is (x and fix_x) xor fix, `flips` (the value, where it fixes) is (x and flip_x) xor flip.
struct BitMap {
  u32 fix_x, fix, flip_x, flip;
  u32 start;        // the bit before the first element …
  u32 first_flips;  // … which is negated where the function would negate it
};

// Scans packed bits. `parity` tells that no element fixes the bit: ≠` and =`.
template <bool parity, int warps_, int rows>
struct BitScan {
  // Bit 1: fixes, bit 0: flips or the fixed value.
  using Carry = u32;
  using Unit = u32;
  static constexpr int warps = warps_;
  static constexpr bool aligned = true, writes_stage = false;
  static constexpr u32 part_bytes = rows * 32 * 16;
  static constexpr u32 stage_bytes = warps * part_bytes;
  static constexpr u32 tile_length = stage_bytes * 8;
  static constexpr u32 scratch_bytes = 0;
  static constexpr int pieces = 1;

  const char* in;
  u32* out;
  i64 bytes;
  BitMap map;
  u32 tiles;

  __device__ Carry identity() const { return 0; }
  __device__ Carry initial() const { return 2 | map.start; }
  static __device__ Carry join(Carry a, Carry b) { return b & 2 ? b : a ^ b; }
  __device__ Carry combine(Carry a, Carry b) const { return join(a, b); }
  __device__ u32 origin(u32) const { return 0; }
  __device__ bool is_last(u32) const { return false; }
  __device__ void finish(Carry) const {}
  __device__ void pieces_of(u32 tile, Piece (&p)[1]) const {
    const i64 first = static_cast<i64>(tile) * stage_bytes;
    p[0] = {in + first, 0, static_cast<u32>(min(static_cast<i64>(stage_bytes), (bytes - first + 15) & ~i64{15}))};
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
    const i64 left = bytes - static_cast<i64>(tile) * stage_bytes;
#pragma unroll 4
    for (int r = 0; r < rows; r++) {
      const u32 at = (warp * rows + r) * 32 + lane;
      const int4 x = read(stage, tile, at);
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
      before = join(before, __shfl_sync(whole_warp, all, 31));
      u32 y[4];
#pragma unroll
      for (int i = 0; i < 4; i++) y[i] = flips[i] ^ (~fixes[i] & (0u - (join(ahead, upto[i]) & 1)));
      const i64 byte = static_cast<i64>(at) * 16;
      if (byte < left) {
        // Memory of arrays reaches to the next multiple of 16 bytes.
        __stcs(reinterpret_cast<int4*>(out) + static_cast<i64>(tile) * (stage_bytes / 16) + at, bits_as<int4>(y));
      }
    }
  }
};

}  // namespace griddle::cuda
