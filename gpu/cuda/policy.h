// Tile sizes and ring layouts of the look-back engine, as data: measured on one H200 (tests/bench/gpu/RESULTS.md, by the sweep in
// tests/bench/gpu/sweep.cu), by kind of job and by the widths of elements. Other chips take the same where their shared memory
// allows it, or one tile a block.
#pragma once

namespace griddle::cuda {

struct Tuning {
  int warps, rows;  // warps that work, and rows of a warp's part of a tile
  // The ring of persistent blocks: stages, tiles summed ahead of the one written, words of the board that a lane reads at once,
  // blocks of a multiprocessor.
  int stages = 0, ahead = 0, depth = 1, blocks = 1;
};

// A job of at least this many bytes runs in persistent blocks, a smaller one as one tile a block.
constexpr long long persistent_from_bytes = 6ll << 20;

constexpr Tuning scan_tuning(int in_bits, int out_bits) {
  if (in_bits == out_bits) return {16, 4, 6, 4, 5};
  // Narrow elements in, wide ones out: the stage is small.
  if (in_bits == 1) return {16, 16, 12, 6, 5};
  if (in_bits == 8) return out_bits == 64 ? Tuning{16, 16, 12, 3, 5} : Tuning{16, 4, 16, 10, 5};
  return in_bits == 16 ? Tuning{16, 4, 12, 6, 5} : Tuning{16, 8, 6, 4, 5};
}
constexpr Tuning bit_scan_tuning = {24, 2, 9, 7, 5};
constexpr Tuning select_tuning(int bytes) {
  return bytes == 8 ? Tuning{16, 2, 6, 4, 5} : bytes == 4 ? Tuning{16, 3, 8, 5, 5} : Tuning{16, 4, 5, 3, 5};
}
constexpr Tuning select_bits_tuning = {20, 2, 5, 3, 5};
constexpr Tuning places_tuning(bool both) { return both ? Tuning{16, 2, 8, 5, 5} : Tuning{28, 4, 5, 3, 5}; }
constexpr Tuning partition_tuning(int bytes) { return bytes == 8 ? Tuning{16, 2, 5, 3, 5} : Tuning{16, 4, 5, 3, 5}; }
constexpr Tuning runs_tuning(int bytes) { return bytes == 8 ? Tuning{16, 2, 6, 4, 5} : Tuning{16, 4, 6, 4, 5}; }
constexpr Tuning fold_runs_tuning(int value_bytes) { return value_bytes == 8 ? Tuning{14, 2, 5, 3, 5} : Tuning{22, 2, 5, 3, 5}; }
// One tile a block: small inputs, chips without bulk copies.
constexpr Tuning small_tuning = {16, 2};
constexpr Tuning small_scan_tuning(int in_bits, int out_bits) {
  return in_bits == out_bits ? small_tuning : Tuning{16, in_bits == 1 ? 16 : 8};  // a part fills 16-byte pieces
}
constexpr Tuning small_fold_runs_tuning = {8, 2};

// Blocks of a multiprocessor that draw by products: tests/bench/gpu/samplers.cu sweeps them.
constexpr int prefix_blocks = 8, transposed_blocks = 12, butterfly_blocks = 12, warp_blocks = 12, pieces_blocks = 12;
// Lanes that draw together by the method of warps, of which each has 16 bytes of a chunk: as few as hold a row in a chunk a lane.
constexpr unsigned draw_lanes(unsigned length, unsigned bytes) {
  const unsigned long long parts = (1ull * length * bytes + 15) / 16;
  return parts <= 4 * 4 ? 4 : parts <= 8 * 8 ? 8 : parts <= 16 * 16 ? 16 : 32;
}

}  // namespace griddle::cuda
