// The engine under every scan and compaction: one pass over tiles of the input, where each tile learns what came before it by
// looking back at what the tiles before it have published.
//
// A job (scan.cuh, compact.cuh) says what a tile is: which pieces of memory it loads, what a warp's part of it amounts to (its
// carry), and what the part writes once the carry before it is known. Two drivers run jobs:
//
//   one tile a block    loads, sums, looks back, writes. Any chip; any alignment; small inputs.
//   persistent blocks   Hopper. A warp loads tiles ahead by bulk copies into a ring of stages; the working warps sum tile k+ahead
//                       before they write tile k. In between one warp publishes sums and another gathers those of the tiles
//                       since the block's own tile before, whose prefix it knows: so no tile ever waits for another's prefix,
//                       only for sums, and these depend on nothing but loads.
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

template <class Carry>
constexpr int carry_bytes = sizeof(Carry) <= 4   ? 4
                            : sizeof(Carry) == 8 ? 8
                                                 : 12;

template <class To, class From>
__device__ __forceinline__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class W>
__device__ __forceinline__ W read_word(const W* p) {
  if constexpr (sizeof(W) == 8) {
    u64 bits;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(bits) : "l"(p) : "memory");
    return bits_as<W>(bits);
  } else {
    u64 bits[2];
    asm volatile("{ .reg .b128 w; ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w; }"
                 : "=l"(bits[0]), "=l"(bits[1])
                 : "l"(p)
                 : "memory");
    return bits_as<W>(bits);
  }
}
template <class W>
__device__ __forceinline__ void write_word(W* p, const W& word) {
  if constexpr (sizeof(W) == 8) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(bits_as<u64>(word)) : "memory");
  } else {
    u64 bits[2];
    memcpy(bits, &word, sizeof bits);
    asm volatile("{ .reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w; }" ::"l"(p), "l"(bits[0]),
                 "l"(bits[1])
                 : "memory");
  }
}

// What a launch shares: a word a tile, and the ticket counter. `launch` differs from all launches before on the same words;
// `first_ticket` is what the counter holds when the launch begins.
struct Board {
  void* words;
  u32* tickets;
  u32 launch;
  u32 first_ticket;
};

template <class Carry>
__device__ __forceinline__ void publish(const Board& board, u32 tile, u32 flag, Carry carry) {
  using W = Word<carry_bytes<Carry>>;
  W word{};
  word.tag = board.launch << 2 | flag;
  memcpy(word.payload, &carry, sizeof carry);
  write_word(static_cast<W*>(board.words) + tile, word);
}

// --- ordered combination across a warp. Lower lanes come first.

template <class T>
__device__ __forceinline__ T shuffle_up(T v, int by) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    if constexpr (std::is_arithmetic_v<T>) return __shfl_up_sync(whole_warp, v, by);
  }
  u32 parts[(sizeof(T) + 3) / 4];
  memcpy(parts, &v, sizeof v);
#pragma unroll
  for (u32& part : parts) part = __shfl_up_sync(whole_warp, part, by);
  memcpy(&v, parts, sizeof v);
  return v;
}
template <class T>
__device__ __forceinline__ T shuffle_down(T v, int by) {
  u32 parts[(sizeof(T) + 3) / 4];
  memcpy(parts, &v, sizeof v);
#pragma unroll
  for (u32& part : parts) part = __shfl_down_sync(whole_warp, part, by);
  memcpy(&v, parts, sizeof v);
  return v;
}
template <class T>
__device__ __forceinline__ T shuffle(T v, int from) {
  u32 parts[(sizeof(T) + 3) / 4];
  memcpy(parts, &v, sizeof v);
#pragma unroll
  for (u32& part : parts) part = __shfl_sync(whole_warp, part, from);
  memcpy(&v, parts, sizeof v);
  return v;
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

// Combines what is published before `tile`, back to a known prefix. Lane l of a window looks at the l-th tile before.
template <int depth, class Carry, class F>
__device__ Carry look_back(const Board& board, u32 tile, int lane, F combine) {
  using W = Word<carry_bytes<Carry>>;
  const W* words = static_cast<const W*>(board.words);
  Carry so_far{};
  bool started = false;
  for (i64 newest = static_cast<i64>(tile) - 1;; newest -= 32 * depth) {
    W seen[depth];
#pragma unroll
    for (int d = 0; d < depth; d++) {
      const i64 at = newest - 32 * d - lane;
      seen[d] = read_word(words + (at < 0 ? 0 : at));
    }
#pragma unroll
    for (int d = 0; d < depth; d++) {
      const i64 at = newest - 32 * d - lane;
      int last;  // the nearest lane with a prefix
      bool found;
      for (;;) {
        const bool known = at < 0 || seen[d].tag >> 2 == (board.launch & 0x3FFFFFFF);
        const u32 unknown = __ballot_sync(whole_warp, !known);
        const u32 prefixes = __ballot_sync(whole_warp, known && (at < 0 || (seen[d].tag & 3) == prefix_known));
        found = prefixes != 0;
        last = found ? __ffs(prefixes) - 1 : 31;
        if ((unknown & (0xFFFFFFFFu >> (31 - last))) == 0) break;
        if (!known) seen[d] = read_word(words + at);
      }
      Carry c;
      memcpy(&c, seen[d].payload, sizeof c);
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
}

// Publishes a tile's total and gives what comes before the tile. Called by a whole warp.
template <int depth, class Job, class Carry>
__device__ __forceinline__ Carry settle(const Job& job, const Board& board, u32 tile, Carry total, int lane) {
  const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
  if (job.origin(tile) == tile) {
    const Carry before = job.initial();
    if (lane == 0) publish(board, tile, prefix_known, combine(before, total));
    return before;
  }
  if (lane == 0) publish(board, tile, aggregate_known, total);
  const Carry before = look_back<depth, Carry>(board, tile, lane, combine);
  if (lane == 0) publish(board, tile, prefix_known, combine(before, total));
  return before;
}

// --- memory that a job wants in shared memory

// One piece: `bytes` from `from` to offset `to` of the stage. From 16-byte aligned memory `bytes` may exceed the data up to the
// next multiple of 16.
struct Piece {
  const void* from;
  u32 to;
  u32 bytes;
};

// --- driver: one tile a block

template <class Job>
__global__ void __launch_bounds__(Job::warps * 32)
    tile_a_block(const __grid_constant__ Job job, const __grid_constant__ Board board) {
  using Carry = typename Job::Carry;
  constexpr int warps = Job::warps, threads = warps * 32;
  extern __shared__ __align__(128) char stage[];
  __shared__ Carry parts[warps];
  __shared__ u32 shared_tile;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) shared_tile = atomicAdd(board.tickets, 1u) - board.first_ticket;
  __syncthreads();
  const u32 tile = shared_tile;
  Piece pieces[Job::pieces];
  job.pieces_of(tile, pieces);
#pragma unroll
  for (const Piece& piece : pieces) {
    if constexpr (Job::aligned) {
      const int4* from = static_cast<const int4*>(piece.from);
      int4* to = reinterpret_cast<int4*>(stage + piece.to);
#pragma unroll 4
      for (u32 i = threadIdx.x; i < piece.bytes / 16; i += threads) to[i] = __ldcs(from + i);
    } else {
      using Unit = typename Job::Unit;
      const Unit* from = static_cast<const Unit*>(piece.from);
      Unit* to = reinterpret_cast<Unit*>(stage + piece.to);
#pragma unroll 4
      for (u32 i = threadIdx.x; i < piece.bytes / sizeof(Unit); i += threads) to[i] = from[i];
    }
  }
  __syncthreads();
  const Carry part = job.sum(stage, tile, warp, lane);
  if (lane == 0) parts[warp] = part;
  __syncthreads();
  if (warp == 0) {
    const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
    Carry c = lane < warps ? parts[lane] : job.identity();
    c = warp_scan(c, lane, combine);
    Carry within = shuffle_up(c, 1);
    if (lane == 0) within = job.identity();
    const Carry total = shuffle(c, 31);
    const Carry before = settle<1>(job, board, tile, total, lane);
    if (lane < warps) parts[lane] = combine(before, within);
    if (lane == 0 && job.is_last(tile)) job.finish(combine(before, total));
  }
  __syncthreads();
  job.write(stage, stage + Job::stage_bytes, tile, warp, lane, parts[warp]);
}

// --- driver: persistent blocks

__device__ __forceinline__ u32 shared_address(const void* p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }

// A barrier in shared memory that warps arrive at, and bulk copies complete on.
struct Gate {
  u64 state;
  __device__ void open(u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&state)), "r"(arrivals) : "memory");
  }
  __device__ void arrive() { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&state)) : "memory"); }
#if __CUDA_ARCH__ >= 900
  __device__ void arrive_expecting(u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&state)), "r"(bytes) : "memory");
  }
  __device__ void wait(u32 turn) {
    asm volatile(
        "{ .reg .pred done;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again; }" ::"r"(shared_address(&state)),
        "r"(turn & 1)
        : "memory");
  }
  // Copies `bytes` (a multiple of 16) of global memory; both ends 16-byte aligned.
  __device__ void bulk_copy(void* to, const void* from, u32 bytes) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(&state))
        : "memory");
  }
#endif
};

// How a persistent launch is laid out: stages of the ring, tiles summed ahead of the one written, words of the board that a lane
// reads at once, blocks of a multiprocessor.
template <int stages_, int ahead_, int depth_, int blocks_>
struct Layout {
  static constexpr int stages = stages_, ahead = ahead_, depth = depth_, blocks = blocks_;
};

// Combines what tiles from `first` up to `end` have published. Called by a whole warp, for at least one tile.
template <int depth, class Job>
__device__ typename Job::Carry gather(const Job& job, const Board& board, u32 first, u32 end, int lane) {
  using Carry = typename Job::Carry;
  using W = Word<carry_bytes<Carry>>;
  const W* words = static_cast<const W*>(board.words);
  const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
  Carry all = job.identity();
  for (; first < end; first += 32 * depth) {
    W seen[depth];
#pragma unroll
    for (int d = 0; d < depth; d++) {
      const u32 at = first + lane * depth + d;
      if (at < end) seen[d] = read_word(words + at);
    }
    Carry c = job.identity();
#pragma unroll
    for (int d = 0; d < depth; d++) {
      const u32 at = first + lane * depth + d;
      if (at >= end) break;
      while (seen[d].tag >> 2 != (board.launch & 0x3FFFFFFF)) seen[d] = read_word(words + at);
      Carry one;
      memcpy(&one, seen[d].payload, sizeof one);
      c = combine(c, one);
    }
    __syncwarp();
    all = combine(all, shuffle(warp_scan(c, lane, combine), 31));
  }
  return all;
}

template <class Job, class L>
__global__ void __launch_bounds__((Job::warps + 3) * 32, L::blocks)
    persistent(const __grid_constant__ Job job, const __grid_constant__ Board board, u32 tiles) {
#if __CUDA_ARCH__ >= 900
  using Carry = typename Job::Carry;
  constexpr int warps = Job::warps, stages = L::stages;
  static_assert(stages >= L::ahead + 2 && warps <= 32);
  extern __shared__ __align__(128) char ring[];
  __shared__ Gate loaded[stages], summed[stages], published[stages], settled[stages], written[stages];
  __shared__ Carry parts[stages][warps], totals[stages], bases[stages];
  __shared__ u32 tile_in[stages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; s++) {
      loaded[s].open(1);
      summed[s].open(warps);
      published[s].open(32);
      settled[s].open(32);
      written[s].open(warps);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();

  if (warp == warps) {  // loads
    if (lane != 0) return;
    u32 ticket = atomicAdd(board.tickets, 1u) - board.first_ticket;
    for (u32 k = 0;; k++) {
      const u32 s = k % stages;
      if (k >= stages) written[s].wait(k / stages - 1);
      tile_in[s] = ticket;
      if (ticket >= tiles) {
        loaded[s].arrive();
        for (int i = 0; i < 32; i++) published[s].arrive();  // in place of the warp that publishes
        return;
      }
      Piece pieces[Job::pieces];
      job.pieces_of(ticket, pieces);
      u32 bytes = 0;
#pragma unroll
      for (const Piece& piece : pieces) bytes += piece.bytes;
      loaded[s].arrive_expecting(bytes);
#pragma unroll
      for (const Piece& piece : pieces)
        if (piece.bytes) loaded[s].bulk_copy(ring + s * Job::stage_bytes + piece.to, piece.from, piece.bytes);
      ticket = atomicAdd(board.tickets, 1u) - board.first_ticket;
    }
  }

  if (warp == warps + 1) {  // publishes
    const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
    for (u32 k = 0;; k++) {
      const u32 s = k % stages;
      loaded[s].wait(k / stages);
      const u32 tile = tile_in[s];
      if (tile >= tiles) return;
      summed[s].wait(k / stages);
      Carry c = lane < warps ? parts[s][lane] : job.identity();
      c = warp_scan(c, lane, combine);
      if (lane == 31) {
        publish(board, tile, aggregate_known, c);
        totals[s] = c;
      }
      c = shuffle_up(c, 1);
      if (lane < warps) parts[s][lane] = lane == 0 ? job.identity() : c;
      published[s].arrive();
    }
  }

  if (warp == warps + 2) {  // gathers what came since the tile before of this block
    const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
    Carry before = job.initial();
    u32 known_up_to = 0;
    for (u32 k = 0;; k++) {
      const u32 s = k % stages;
      published[s].wait(k / stages);
      const u32 tile = tile_in[s];
      if (tile >= tiles) return;
      const u32 origin = job.origin(tile);
      if (origin > known_up_to || origin == tile) {
        before = job.initial();
        known_up_to = origin;
      }
      if (known_up_to < tile) before = combine(before, gather<L::depth>(job, board, known_up_to, tile, lane));
      const Carry through = combine(before, totals[s]);
      if (lane == 0) {
        bases[s] = before;
        if (job.is_last(tile)) job.finish(through);
      }
      settled[s].arrive();
      before = through;
      known_up_to = tile + 1;
    }
  }

  u32 sums = 0, writes = 0;
  for (bool more = true; more || writes < sums;) {
    if (more) {
      const u32 s = sums % stages;
      loaded[s].wait(sums / stages);
      const u32 tile = one_reads(tile_in[s], lane);
      if (tile >= tiles) {
        more = false;
      } else {
        const Carry part = job.sum(ring + s * Job::stage_bytes, tile, warp, lane);
        if (lane == 0) {
          parts[s][warp] = part;
          summed[s].arrive();
        }
        sums++;
      }
    }
    if (writes < sums && (!more || sums - writes > L::ahead)) {
      const u32 s = writes % stages;
      settled[s].wait(writes / stages);
      job.write(ring + s * Job::stage_bytes, ring + stages * Job::stage_bytes, one_reads(tile_in[s], lane), warp, lane,
                job.combine(one_reads(bases[s], lane), one_reads(parts[s][warp], lane)));
      if constexpr (Job::writes_stage) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncwarp();
      if (lane == 0) written[s].arrive();
      writes++;
    }
  }
#endif
}

}  // namespace griddle::cuda
