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

template <class Job, int stages, int ahead, int depth, int blocks>
__global__ void __launch_bounds__((Job::warps + 3) * 32, blocks)
    persistent(const __grid_constant__ Job job, const __grid_constant__ Board board, u32 tiles) {
#if __CUDA_ARCH__ >= 900
  using Carry = typename Job::Carry;
  constexpr int warps = Job::warps;
  static_assert(stages >= ahead + 2 && warps <= 32);
  extern __shared__ __align__(128) char data[];
  __shared__ Ring<Job, stages> ring;
  auto& [loaded, summed, published, settled, written, parts, totals, bases, tile_in] = ring;
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
    u32 ticket = board.draw();
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
        if (piece.bytes) loaded[s].bulk_copy(data + s * Job::stage_bytes + piece.to, piece.from, piece.bytes);
      ticket = board.draw();
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
        Published<Carry>(board, aggregate_known, c).write(board, tile);
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
      if (known_up_to < tile) before = combine(before, gather<depth>(job, board, known_up_to, tile, lane));
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
        const Carry part = job.sum(data + s * Job::stage_bytes, tile, warp, lane);
        if (lane == 0) {
          parts[s][warp] = part;
          summed[s].arrive();
        }
        sums++;
      }
    }
    if (writes < sums && (!more || sums - writes > ahead)) {
      const u32 s = writes % stages;
      settled[s].wait(writes / stages);
      job.write(data + s * Job::stage_bytes, data + stages * Job::stage_bytes, one_reads(tile_in[s], lane), warp, lane,
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
