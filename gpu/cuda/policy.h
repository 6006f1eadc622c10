// Tile sizes and ring layouts of the look-back engine, as data: measured on one H200 (tests/bench/gpu/RESULTS.md), by kind of job
// and by the bytes of an element. Other chips take the same where their shared memory allows it, or one tile a block.
#pragma once

namespace griddle::cuda {

// Warps that work, and rows of a warp's part of a tile; then the ring: stages, tiles summed ahead, words of the board a lane
// reads. `stages` of 0 stands for one tile a block.
struct Tuning {
  int warps, rows, stages, ahead, depth;
};

// A job of at least this many bytes runs in persistent blocks, a smaller one as one tile a block.
constexpr long long persistent_from_bytes = 6ll << 20;

constexpr Tuning scan_tuning = {16, 4, 6, 4, 3};            // elements of one width in and out
constexpr Tuning widening_scan_tuning = {16, 4, 12, 6, 5};  // narrow elements in, wide ones out: the stage is small
constexpr Tuning bit_scan_tuning = {16, 4, 6, 4, 5};
constexpr Tuning select_tuning(int bytes) {
  return bytes == 8 ? Tuning{16, 2, 6, 4, 5} : bytes == 4 ? Tuning{16, 3, 8, 5, 5} : Tuning{16, 4, 8, 5, 5};
}
constexpr Tuning partition_tuning(int bytes) { return bytes == 8 ? Tuning{16, 2, 5, 3, 5} : Tuning{16, 4, 5, 3, 5}; }
constexpr Tuning runs_tuning(int bytes) { return bytes == 8 ? Tuning{16, 2, 6, 4, 5} : Tuning{20, 4, 5, 3, 5}; }
constexpr Tuning fold_runs_tuning(int bytes) { return bytes == 8 ? Tuning{14, 2, 5, 3, 5} : Tuning{20, 2, 5, 3, 5}; }
// One tile a block: small inputs, chips without bulk copies.
constexpr Tuning small_tuning = {16, 2, 0, 0, 1};

}  // namespace griddle::cuda
