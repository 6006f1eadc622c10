// Scans of numbers as jobs of the look-back engine, with any ordered operation.
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
  static constexpr bool from_bytes = std::is_same_v<In, std::int8_t>;
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
  // Sums of narrow elements need no more than 32 bits within a part.
  static constexpr bool sums_narrow = Op::sums && std::is_integral_v<Carry> && sizeof(Unit) <= 2;
  using Within = std::conditional_t<sums_narrow, Add<int>, Op>;
  using Inner = typename Within::Carry;
  static_assert(!sums_narrow || part_length <= 32768);

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
      Inner c = Within::identity();
      if constexpr (from_bits) {
        static_assert(Op::sums);
        const u32* words = reinterpret_cast<const u32*>(part);
        for (u32 i = lane; i < part_bytes / 4; i += 32) c += static_cast<Inner>(__popc(words[i]));
      } else if constexpr (part_bytes % 512 == 0) {
        const int4* quads = reinterpret_cast<const int4*>(part);
#pragma unroll
        for (u32 i = 0; i < part_bytes / 512; i++) c = sum_16<In, Within>(quads[i * 32 + lane], c);
      } else {
        Inner v[group];
#pragma unroll
        for (int r = 0; r < rows; r++) {
          read_elements<In>(part, (r * 32 + lane) * group, v);
#pragma unroll
          for (Inner e : v) c = Within::combine(c, e);
        }
      }
      if constexpr (Op::sums && std::is_same_v<Inner, int>) {
        return __reduce_add_sync(whole_warp, c);
      } else {
#pragma unroll
        for (int by = 16; by; by /= 2) c = Within::combine(c, __shfl_xor_sync(whole_warp, c, by));
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
    if constexpr (from_bytes && sums_narrow && (group == 2 || group == 4)) {
      write_sums_of_bytes(part, to, whole, left, lane, before);
    } else {
#pragma unroll 4
      for (int r = 0; r < rows; r++) {
        const u32 at = (r * 32 + lane) * group;
        if (!whole && r * 32 * group >= left) break;
        Inner v[group];
        read_elements<In>(part, at, v);
#pragma unroll
        for (int i = 1; i < group; i++) v[i] = Within::combine(v[i - 1], v[i]);
        const Inner through = warp_scan(v[group - 1], lane, Within::combine);
        Carry ahead;
        if constexpr (Op::sums && std::is_integral_v<Inner>) {
          ahead = before + (through - v[group - 1]);
        } else {
          const Inner up_to_lane = shuffle_up(through, 1);
          ahead = lane == 0 ? before : Op::combine(before, up_to_lane);
        }
        before = Op::combine(before, shuffle(through, 31));
        Out results[group];
#pragma unroll
        for (int i = 0; i < group; i++) results[i] = static_cast<Out>(Op::combine(ahead, v[i]));
        store(to, at, results, whole, left);
      }
    }
  }

 private:
  static __device__ __forceinline__ void store(Out* to, u32 at, const Out (&results)[group], bool whole, u32 left) {
    struct alignas(sizeof(Out) * group <= 16 ? sizeof(Out) * group : 16) Group {
      Out of[group];
    };
    if (whole) {
      const Group g = bits_as<Group>(results);
      if constexpr (sizeof(Group) == 16)
        __stcs(reinterpret_cast<int4*>(to + at), bits_as<int4>(g));
      else
        *reinterpret_cast<Group*>(to + at) = g;
    } else {
#pragma unroll
      for (int i = 0; i < group; i++)
        if (at + i < left) to[at + i] = results[i];
    }
  }

  // Takes rows two at a time. A bias makes bytes positive, and then a row's sums fit 16 bits, so that one word serves two rows in
  // the scan across the warp. One multiply-add of four bytes gives each element.
  __device__ __forceinline__ void write_sums_of_bytes(const char* part, Out* to, bool whole, u32 left, int lane,
                                                      Carry before) const {
    static_assert(rows % 2 == 0);
    using Bytes = std::conditional_t<group == 4, u32, std::uint16_t>;
    constexpr u32 ones = group == 4 ? 0x01010101 : 0x0101, bias = 128 * ones;
    constexpr int lane_bias = 128 * group, row_bias = 32 * lane_bias;
    const Bytes* bytes = reinterpret_cast<const Bytes*>(part);
    const auto add = [](u32 a, u32 b) { return a + b; };
#pragma unroll 2
    for (int r = 0; r < rows; r += 2) {
      if (!whole && r * 32 * group >= left) break;
      u32 x[2], both = 0;
#pragma unroll
      for (int i = 0; i < 2; i++) {
        x[i] = bytes[(r + i) * 32 + lane];
        both += __dp4a(x[i] ^ bias, ones, 0u) << (16 * i);
      }
      const u32 through = warp_scan(both, lane, add), up_to_lane = through - both, of_rows = shuffle(through, 31);
#pragma unroll
      for (int i = 0; i < 2; i++) {
        const Carry ahead = before + (static_cast<int>(up_to_lane >> (16 * i) & 0xFFFF) - lane_bias * lane);
        before += static_cast<int>(of_rows >> (16 * i) & 0xFFFF) - row_bias;
        Out results[group];
#pragma unroll
        for (int k = 0; k < group; k++) {
          const int up_to_k = static_cast<int>(ones & (0xFFFFFFFFu >> (24 - 8 * k)));
          if constexpr (sizeof(Carry) == 4)
            results[k] = static_cast<Out>(__dp4a(static_cast<int>(x[i]), up_to_k, ahead));
          else
            results[k] = static_cast<Out>(ahead + __dp4a(static_cast<int>(x[i]), up_to_k, 0));
        }
        store(to, ((r + i) * 32 + lane) * group, results, whole, left);
      }
    }
  }
};

}  // namespace griddle::cuda
