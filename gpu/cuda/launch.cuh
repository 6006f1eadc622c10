// Starts jobs of the look-back engine: chooses the driver, and deals out tickets and launch numbers.
#pragma once

#include "gpu/cuda/device.h"
#include "gpu/cuda/drivers.cuh"
#include "gpu/cuda/policy.h"

namespace griddle::cuda {

// Makes the board for a launch of `tiles` tiles that will draw `drawn` tickets.
inline griddle_status board_for(griddle_device& d, u32 tiles, u32 drawn, Board& board) {
  const std::size_t bytes = static_cast<std::size_t>(tiles) * 16;
  const bool renumber = d.launch >= 0x3FFFFFFE;
  if (bytes > d.word_bytes || renumber) {
    std::size_t size = d.word_bytes;
    while (size < bytes) size *= 2;
    cudaError_t e = cudaStreamSynchronize(d.stream);
    if (size != d.word_bytes) {
      char* words = nullptr;
      if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&words), size);
      if (e != cudaSuccess) return status_of(d, e);
      cudaFree(d.words);
      d.words = words;
      d.word_bytes = size;
    }
    e = cudaMemsetAsync(d.words, 0, d.word_bytes, d.stream);
    if (e != cudaSuccess) return status_of(d, e);
    d.launch = 0;
  }
  board = {d.words, d.tickets, ++d.launch, d.first_ticket};
  d.first_ticket += drawn;
  return griddle_done;
}

template <class Job>
griddle_status run_tile_a_block(griddle_device& d, const Job& job, u32 tiles) {
  constexpr std::size_t shared = Job::stage_bytes + Job::scratch_bytes;
  cudaError_t e = cudaFuncSetAttribute(tile_a_block<Job>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (e != cudaSuccess) return status_of(d, e);
  Board board;
  const griddle_status s = board_for(d, tiles, tiles, board);
  if (s != griddle_done) return s;
  tile_a_block<Job><<<tiles, Job::warps * 32, shared, d.stream>>>(job, board);
  return launched(d);
}

// Gives griddle_unsupported where the chip cannot hold a block.
template <class Job, Tuning t>
griddle_status run_persistent(griddle_device& d, const Job& job, u32 tiles) {
  constexpr std::size_t shared = static_cast<std::size_t>(t.stages) * Job::stage_bytes + Job::scratch_bytes;
  if (d.capability < 90 || static_cast<int>(shared + sizeof(Ring<Job, t.stages>)) + 128 > d.largest_shared)
    return griddle_unsupported;
  constexpr auto kernel = persistent<Job, t.stages, t.ahead, t.depth, t.blocks>;
  cudaError_t e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (e != cudaSuccess) return status_of(d, e);
  const u32 blocks = min(tiles, static_cast<u32>(d.multiprocessors * t.blocks));
  Board board;
  const griddle_status s = board_for(d, tiles, tiles + blocks, board);
  if (s != griddle_done) return s;
  kernel<<<blocks, (Job::warps + 3) * 32, shared, d.stream>>>(job, board, tiles);
  return launched(d);
}

// Runs the large job in persistent blocks or the small one as one tile a block, by the bytes they move. `fill` fills a job in and
// gives its number of tiles.
template <class LargeJob, class SmallJob, Tuning t, class Fill>
griddle_status run(griddle_device& d, long long bytes, Fill fill) {
  if (bytes >= persistent_from_bytes) {
    LargeJob job{};
    const u32 tiles = fill(job);
    const griddle_status s = run_persistent<LargeJob, t>(d, job, tiles);
    if (s != griddle_unsupported) return s;
  }
  SmallJob job{};
  const u32 tiles = fill(job);
  return run_tile_a_block(d, job, tiles);
}

inline u32 tiles_for(uint64_t length, u32 tile_length) { return static_cast<u32>((length + tile_length - 1) / tile_length); }

}  // namespace griddle::cuda
