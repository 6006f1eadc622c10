// The engine under every scan and compaction: one pass over tiles of the input, where each tile learns what came before it from
// what the tiles before it have published.
//
// A job (scan.cuh, bit_scan.cuh, compact.cuh, runs.cuh) says what a tile is: which pieces of memory it loads, what a warp's part
// of it amounts to (its carry), and what the part writes once the carry before it is known. Drivers (drivers.cuh) run jobs.
//
// Tiles are handed out by tickets: every tile before the own one belongs to a block that runs, so waiting for it ends.
// Flag and carry travel in one word, so that no fence is needed: 8 bytes for carries of 4 bytes, 16 for those of up to 12.
// The flag holds the number of the launch: nothing has to be cleared between launches.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace griddle::cuda {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;

constexpr u32 whole_warp = 0xFFFFFFFF;

template <class To, class From>
__device__ __forceinline__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

// --- ordered combination across a warp. Lower lanes come first.

// Moves any value by a shuffle of 32-bit parts.
template <class T, class Move>
__device__ __forceinline__ T moved(T v, Move move) {
  u32 parts[(sizeof(T) + 3) / 4];
  memcpy(parts, &v, sizeof v);
#pragma unroll
  for (u32& part : parts) part = move(part);
  memcpy(&v, parts, sizeof v);
  return v;
}
template <class T>
__device__ __forceinline__ T shuffle_up(T v, int by) {
  return moved(v, [=](u32 part) { return __shfl_up_sync(whole_warp, part, by); });
}
template <class T>
__device__ __forceinline__ T shuffle_down(T v, int by) {
  return moved(v, [=](u32 part) { return __shfl_down_sync(whole_warp, part, by); });
}
template <class T>
__device__ __forceinline__ T shuffle(T v, int from) {
  return moved(v, [=](u32 part) { return __shfl_sync(whole_warp, part, from); });
}

// Lets one lane read shared memory for all: the lane that then tells the writer that it may write again.
template <class T>
__device__ __forceinline__ T one_reads(const T& from, int lane) {
  T v{};
  if (lane == 0) v = from;
  return shuffle(v, 0);
}

// Gives each lane the combination of all lanes up to itself.
template <class T, class F>
__device__ __forceinline__ T warp_scan(T v, int lane, F combine) {
#pragma unroll
  for (int by = 1; by < 32; by *= 2) {
    const T before = shuffle_up(v, by);
    if (lane >= by) v = combine(before, v);
  }
  return v;
}

// --- published words

enum : u32 { aggregate_known = 1, prefix_known = 2 };

template <int carry_bytes>
struct Word;
template <>
struct alignas(8) Word<4> {
  u32 tag, payload[1];
};
template <>
struct alignas(16) Word<8> {
  u32 tag, unused, payload[2];
};
template <>
struct alignas(16) Word<12> {
  u32 tag, payload[3];
};

// What a launch shares: a word a tile, and the ticket counter. `launch` differs from all launches before on the same words;
// `first_ticket` is what the counter holds when the launch begins.
struct Board {
  void* words;
  u32* tickets;
  u32 launch;
  u32 first_ticket;

  __device__ __forceinline__ u32 draw() const { return atomicAdd(tickets, 1u) - first_ticket; }
};

// A tile's word: what the tile has published so far.
template <class Carry>
class Published {
  using W = Word<sizeof(Carry) <= 4 ? 4 : sizeof(Carry) == 8 ? 8 : 12>;

 public:
  Published() = default;
  __device__ __forceinline__ Published(const Board& board, u32 flag, Carry carry) : word_{} {
    word_.tag = board.launch << 2 | flag;
    memcpy(word_.payload, &carry, sizeof carry);
  }
  __device__ __forceinline__ void read(const Board& board, u32 tile) {
    const W* p = static_cast<const W*>(board.words) + tile;
    if constexpr (sizeof(W) == 8) {
      u64 bits;
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
      word_ = bits_as<W>(bits);
    } else {
      u64 bits[2];
      asm volatile("{ .reg .b128 w; ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
                   : "=l"(bits[0]), "=l"(bits[1])
                   : "l"(p)
                   : "memory");
      word_ = bits_as<W>(bits);
    }
  }
  __device__ __forceinline__ void write(const Board& board, u32 tile) const {
    W* p = static_cast<W*>(board.words) + tile;
    if constexpr (sizeof(W) == 8) {
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(bits_as<u64>(word_)) : "memory");
    } else {
      u64 bits[2];
      memcpy(bits, &word_, sizeof bits);
      asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(p), "l"(bits[0]),
                   "l"(bits[1])
                   : "memory");
    }
  }
  __device__ __forceinline__ bool is_known(const Board& board) const { return word_.tag >> 2 == (board.launch & 0x3FFFFFFF); }
  __device__ __forceinline__ bool is_prefix() const { return (word_.tag & 3) == prefix_known; }
  __device__ __forceinline__ Carry carry() const {
    Carry c;
    memcpy(&c, word_.payload, sizeof c);
    return c;
  }

 private:
  W word_;
};

// --- looking back

// Combines what is published before `tile`, back to a known prefix, for a tile that is not its row's first. Lane l of a window
// looks at the l-th tile before. Called by a whole warp.
template <class Carry, class F>
__device__ Carry look_back(const Board& board, u32 tile, int lane, F combine) {
  Carry so_far{};
  bool started = false;
  for (i64 newest = static_cast<i64>(tile) - 1;; newest -= 32) {
    const i64 at = newest - lane;
    Published<Carry> seen;
    seen.read(board, static_cast<u32>(at < 0 ? 0 : at));
    int last;  // the nearest lane with a prefix
    bool found;
    for (;;) {
      const bool known = at < 0 || seen.is_known(board);
      const u32 unknown = __ballot_sync(whole_warp, !known);
      const u32 prefixes = __ballot_sync(whole_warp, known && (at < 0 || seen.is_prefix()));
      found = prefixes != 0;
      last = found ? __ffs(prefixes) - 1 : 31;
      if ((unknown & (0xFFFFFFFFu >> (31 - last))) == 0) break;
      if (!known) seen.read(board, static_cast<u32>(at));
    }
    Carry c = seen.carry();
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
      const Carry earlier = shuffle_down(c, by);
      if (lane + by <= last) c = combine(earlier, c);
    }
    c = shuffle(c, 0);
    so_far = started ? combine(c, so_far) : c;
    started = true;
    if (found) return so_far;
  }
}

// Publishes a tile's total and gives what comes before the tile. Called by a whole warp.
template <class Job, class Carry>
__device__ __forceinline__ Carry settle(const Job& job, const Board& board, u32 tile, Carry total, int lane) {
  const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
  const bool starts = job.origin(tile) == tile;
  Carry before = job.initial();
  if (!starts) {
    if (lane == 0) Published<Carry>(board, aggregate_known, total).write(board, tile);
    before = look_back<Carry>(board, tile, lane, combine);
  }
  if (lane == 0) Published<Carry>(board, prefix_known, combine(before, total)).write(board, tile);
  return before;
}

// Combines what tiles from `first` up to `end` have published, all of them sums; reads `depth` words a lane at once. Called by a
// whole warp.
template <int depth, class Job>
__device__ typename Job::Carry gather(const Job& job, const Board& board, u32 first, u32 end, int lane) {
  using Carry = typename Job::Carry;
  const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
  Carry all = job.identity();
  for (; first < end; first += 32 * depth) {
    Published<Carry> seen[depth];
#pragma unroll
    for (int d = 0; d < depth; d++) {
      const u32 at = first + lane * depth + d;
      if (at < end) seen[d].read(board, at);
    }
    Carry c = job.identity();
#pragma unroll
    for (int d = 0; d < depth; d++) {
      const u32 at = first + lane * depth + d;
      if (at >= end) break;
      while (!seen[d].is_known(board)) seen[d].read(board, at);
      c = combine(c, seen[d].carry());
    }
    __syncwarp();
    all = combine(all, shuffle(warp_scan(c, lane, combine), 31));
  }
  return all;
}

// --- what jobs share

// One piece of memory that a job wants in shared memory: `bytes` from `from` to offset `to` of the stage. From 16-byte aligned
// memory `bytes` may exceed the data up to the next multiple of 16.
struct Piece {
  const void* from;
  u32 to;
  u32 bytes;
};
constexpr __host__ __device__ u32 up_to_16(u32 bytes) { return (bytes + 15) & ~15u; }

// Compactions take rows of four elements a lane; the flags of a lane's elements are 4 bits.
constexpr int nibble = 4;
constexpr u32 row_length = 32 * nibble;

// A list in tiles of `tile_length_` elements.
template <u32 tile_length_>
struct List {
  static constexpr u32 tile_length = tile_length_;

  i64 length;
  u32 tiles;

  __device__ u32 origin(u32) const { return 0; }
  __device__ bool is_last(u32 tile) const { return tile == tiles - 1; }
  __device__ i64 first_in(u32 tile) const { return static_cast<i64>(tile) * tile_length; }
  __device__ u32 count_in(u32 tile) const {
    return static_cast<u32>(min(static_cast<i64>(tile_length), length - first_in(tile)));
  }
};

// A carry that counts elements.
struct Counting {
  using Carry = u32;
  __device__ u32 identity() const { return 0; }
  __device__ u32 initial() const { return 0; }
  __device__ u32 combine(u32 a, u32 b) const { return a + b; }
};

}  // namespace griddle::cuda
