// The drivers of the look-back engine:
//
//   one tile a block    loads, sums, looks back, writes. Any chip; any alignment; small inputs.
//   persistent blocks   Hopper. A warp loads tiles ahead by bulk copies into a ring of stages; the working warps sum tile k+ahead
//                       before they write tile k. In between one warp publishes sums and another gathers those of the tiles
//                       since the block's own tile before, whose prefix it knows: so no tile ever waits for another's prefix,
//                       only for sums, and these depend on nothing but loads.
#pragma once

#include "gpu/cuda/lookback.cuh"

namespace griddle::cuda {

// Lets a job make ready what the threads of a block share, before they meet.
template <class Job>
__device__ __forceinline__ void prepare(const Job& job, char* scratch) {
  if constexpr (requires { job.prepare(scratch); }) job.prepare(scratch);
}

// --- one tile a block

template <class Job>
__global__ void __launch_bounds__(Job::warps * 32)
    tile_a_block(const __grid_constant__ Job job, const __grid_constant__ Board board) {
  using Carry = typename Job::Carry;
  constexpr int warps = Job::warps, threads = warps * 32;
  extern __shared__ __align__(128) char stage[];
  __shared__ Carry parts[warps];
  __shared__ u32 shared_tile;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) shared_tile = board.draw();
  prepare(job, stage + Job::stage_bytes);
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
    const Carry before = settle(job, board, tile, total, lane);
    if (lane < warps) parts[lane] = combine(before, within);
    if (lane == 0 && job.is_last(tile)) job.finish(combine(before, total));
  }
  __syncthreads();
  job.write(stage, stage + Job::stage_bytes, tile, warp, lane, parts[warp]);
}

// --- persistent blocks

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

// What the warps of a block tell each other, for each stage of its ring.
template <class Job, int stages>
struct Ring {
  Gate loaded[stages], summed[stages], published[stages], settled[stages], written[stages];
  typename Job::Carry parts[stages][Job::warps], totals[stages], bases[stages];
  u32 tile_in[stages];
};

#if __CUDA_ARCH__ >= 900
// The one thread that loads tiles into the stages of the ring.
template <class Job, int stages>
__device__ __forceinline__ void load_tiles(const Job& job, const Board& board, u32 tiles, Ring<Job, stages>& ring, char* data) {
  u32 ticket = board.draw();
  for (u32 k = 0;; k++) {
    const u32 s = k % stages;
    if (k >= stages) ring.written[s].wait(k / stages - 1);
    ring.tile_in[s] = ticket;
    if (ticket >= tiles) {
      ring.loaded[s].arrive();
      for (int i = 0; i < 32; i++) ring.published[s].arrive();  // in place of the warp that publishes
      return;
    }
    Piece pieces[Job::pieces];
    job.pieces_of(ticket, pieces);
    u32 bytes = 0;
#pragma unroll
    for (const Piece& piece : pieces) bytes += piece.bytes;
    ring.loaded[s].arrive_expecting(bytes);
#pragma unroll
    for (const Piece& piece : pieces)
      if (piece.bytes) ring.loaded[s].bulk_copy(data + s * Job::stage_bytes + piece.to, piece.from, piece.bytes);
    ticket = board.draw();
  }
}

// The warp that makes known what a tile comes to, as soon as the others have its parts.
template <class Job, int stages>
__device__ __forceinline__ void publish_sums(const Job& job, const Board& board, u32 tiles, Ring<Job, stages>& ring, int lane) {
  using Carry = typename Job::Carry;
  constexpr int warps = Job::warps;
  const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
  for (u32 k = 0;; k++) {
    const u32 s = k % stages;
    ring.loaded[s].wait(k / stages);
    const u32 tile = ring.tile_in[s];
    if (tile >= tiles) return;
    ring.summed[s].wait(k / stages);
    Carry c = lane < warps ? ring.parts[s][lane] : job.identity();
    c = warp_scan(c, lane, combine);
    if (lane == 31) {
      Published<Carry>(board, aggregate_known, c).write(board, tile);
      ring.totals[s] = c;
    }
    c = shuffle_up(c, 1);
    if (lane < warps) ring.parts[s][lane] = lane == 0 ? job.identity() : c;
    ring.published[s].arrive();
  }
}

// The warp that gathers what came since the tile before of this block.
template <int depth, class Job, int stages>
__device__ __forceinline__ void gather_bases(const Job& job, const Board& board, u32 tiles, Ring<Job, stages>& ring, int lane) {
  using Carry = typename Job::Carry;
  const auto combine = [&](Carry a, Carry b) { return job.combine(a, b); };
  Carry before = job.initial();
  u32 known_up_to = 0;
  for (u32 k = 0;; k++) {
    const u32 s = k % stages;
    ring.published[s].wait(k / stages);
    const u32 tile = ring.tile_in[s];
    if (tile >= tiles) return;
    const u32 origin = job.origin(tile);
    if (origin > known_up_to || origin == tile) {
      before = job.initial();
      known_up_to = origin;
    }
    if (known_up_to < tile) before = combine(before, gather<depth>(job, board, known_up_to, tile, lane));
    const Carry through = combine(before, ring.totals[s]);
    if (lane == 0) {
      ring.bases[s] = before;
      if (job.is_last(tile)) job.finish(through);
    }
    ring.settled[s].arrive();
    before = through;
    known_up_to = tile + 1;
  }
}

// The warps that sum tiles, and write each when it is known what came before it.
template <int ahead, class Job, int stages>
__device__ __forceinline__ void sum_and_write(const Job& job, u32 tiles, Ring<Job, stages>& ring, char* data, int warp,
                                              int lane) {
  using Carry = typename Job::Carry;
  u32 sums = 0, writes = 0;
  for (bool more = true; more || writes < sums;) {
    if (more) {
      const u32 s = sums % stages;
      ring.loaded[s].wait(sums / stages);
      const u32 tile = one_reads(ring.tile_in[s], lane);
      if (tile >= tiles) {
        more = false;
      } else {
        const Carry part = job.sum(data + s * Job::stage_bytes, tile, warp, lane);
        if (lane == 0) {
          ring.parts[s][warp] = part;
          ring.summed[s].arrive();
        }
        sums++;
      }
    }
    if (writes < sums && (!more || sums - writes > ahead)) {
      const u32 s = writes % stages;
      ring.settled[s].wait(writes / stages);
      job.write(data + s * Job::stage_bytes, data + stages * Job::stage_bytes, one_reads(ring.tile_in[s], lane), warp, lane,
                job.combine(one_reads(ring.bases[s], lane), one_reads(ring.parts[s][warp], lane)));
      if constexpr (Job::writes_stage) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncwarp();
      if (lane == 0) ring.written[s].arrive();
      writes++;
    }
  }
}
#endif

template <class Job, int stages, int ahead, int depth, int blocks>
__global__ void __launch_bounds__((Job::warps + 3) * 32, blocks)
    persistent(const __grid_constant__ Job job, const __grid_constant__ Board board, u32 tiles) {
#if __CUDA_ARCH__ >= 900
  constexpr int warps = Job::warps;
  static_assert(stages >= ahead + 2 && warps <= 32);
  extern __shared__ __align__(128) char data[];
  __shared__ Ring<Job, stages> ring;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; s++) {
      ring.loaded[s].open(1);
      ring.summed[s].open(warps);
      ring.published[s].open(32);
      ring.settled[s].open(32);
      ring.written[s].open(warps);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  prepare(job, data + stages * Job::stage_bytes);
  __syncthreads();
  if (warp == warps) {
    if (lane == 0) load_tiles(job, board, tiles, ring, data);
    return;
  }
  if (warp == warps + 1) return publish_sums(job, board, tiles, ring, lane);
  if (warp == warps + 2) return gather_bases<depth>(job, board, tiles, ring, lane);
  sum_and_write<ahead>(job, tiles, ring, data, warp, lane);
#endif
}

}  // namespace griddle::cuda
