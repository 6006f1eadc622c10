// The state of an opened device, and what the units of the plug-in share.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "gpu/cuda/small_blocks.h"
#include "gpu/plugin_abi.h"

namespace griddle::cuda {

constexpr int most_lanes = 12;

class MadeKernels;

// One of several threads that a transfer has at once. It has two pinned buffers, which are free from these events on.
struct Lane {
  cudaEvent_t half_free[2] = {};
};

}  // namespace griddle::cuda

struct griddle_device {
  cudaStream_t stream = nullptr;
  cudaMemPool_t pool = nullptr;
  griddle::cuda::SmallBlocks small_blocks;
  bool blocks_apart = false;  // no small blocks, so that memcheck sees where an array ends
  griddle::cuda::Lane lanes[griddle::cuda::most_lanes];
  char* pinned = nullptr;  // the buffers of all lanes
  int multiprocessors = 0;
  int capability = 0;
  int largest_shared = 0;
  // The board of the look-back engine. Words keep the number of the launch that wrote them.
  char* words = nullptr;
  std::size_t word_bytes = 0;
  std::uint32_t* tickets = nullptr;
  std::uint32_t launch = 0;
  std::uint32_t first_ticket = 0;
  // Scratch for partial folds, and for results that the host waits for.
  double* partials = nullptr;
  std::uint32_t* arrivals = nullptr;
  double* answer = nullptr;  // on the device
  // Pinned, which kernels can write: an answer, one that was copied, and bytes that come back.
  double* host_answer = nullptr;
  void* blas = nullptr;  // what cuBLAS keeps of this device, from the first product of matrices on
  std::string message;
  griddle::cuda::MadeKernels* made = nullptr;  // from the first chain on
};

namespace griddle::cuda {

constexpr int most_partials = 4096;
// Arrays of so few bytes come and go without copies, which take twice as long as a kernel.
constexpr std::size_t few_bytes = 1024;

// Turns an error of CUDA into a status, and keeps its text.
griddle_status status_of(griddle_device&, cudaError_t);
inline griddle_status launched(griddle_device& d) { return status_of(d, cudaGetLastError()); }
// Waits for the 8 bytes that a kernel writes to `d.host_answer`, which spares a copy.
griddle_status take_answer(griddle_device&, double* to);
// Waits for 8 bytes of `d.answer`, which kernels of many blocks add to.
griddle_status fetch_answer(griddle_device&, double* to);
// Waits for `d.answer` and tells whether any of its bits is set.
griddle_status take_flag(griddle_device&, int* to);

// Memory for arrays; some bytes behind what is asked for may be read and written.
griddle_status allocate(griddle_device*, size_t bytes, void** memory);
void release(griddle_device*, void* memory);

// Memory for the length of one call.
class Scratch {
 public:
  Scratch(griddle_device& d, std::size_t bytes) : device_(d) { status_ = allocate(&d, bytes, &memory_); }
  ~Scratch() { release(&device_, memory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  griddle_status status() const { return status_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  griddle_device& device_;
  void* memory_ = nullptr;
  griddle_status status_;
};

// Calls f with std::type_identity of the unsigned type of that many bytes.
template <class F>
griddle_status with_width(std::uint32_t width, F f) {
  switch (width) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    case 8: return f(std::uint64_t{});
    default: return griddle_unsupported;
  }
}
template <class F>
griddle_status with_number(griddle_device_type type, F f) {
  switch (type) {
    case griddle_device_i8: return f(std::int8_t{});
    case griddle_device_i16: return f(std::int16_t{});
    case griddle_device_i32: return f(std::int32_t{});
    case griddle_device_f64: return f(double{});
    case griddle_device_c8: return f(std::uint8_t{});
    case griddle_device_c16: return f(std::uint16_t{});
    case griddle_device_c32: return f(std::uint32_t{});
    default: return griddle_unsupported;
  }
}

inline std::uint32_t blocks_for(std::uint64_t items, std::uint32_t per_block, std::uint32_t most = 1u << 20) {
  const std::uint64_t blocks = (items + per_block - 1) / per_block;
  return blocks == 0 ? 1 : blocks > most ? most : static_cast<std::uint32_t>(blocks);
}

// The functions of the table, by file.
// transfer.cu
cudaError_t open_lanes(griddle_device&);
void close_lanes(griddle_device&);
griddle_status upload(griddle_device*, void* to, const void* from, size_t bytes);
griddle_status download(griddle_device*, void* to, const void* from, size_t bytes);
// exchange.cu
griddle_status import_numbers(griddle_device*, griddle_foreign_type, const griddle_box*, const void* in, void* out, int* bad);
// chains/elementwise.cu
griddle_status map(griddle_device*, const griddle_chain*, void* out, uint64_t length);
griddle_status fold(griddle_device*, const griddle_chain*, griddle_fold, uint64_t length, double* result);
griddle_status count_bits(griddle_device*, const void* mask, uint64_t length, uint64_t* count);
// rows.cu
griddle_status fold_rows(griddle_device*, griddle_fold, griddle_device_type, const void* in, griddle_device_type out_type,
                         void* out, uint64_t rows, uint64_t row_length);
griddle_status fold_chain_columns(griddle_device*, const griddle_chain*, griddle_fold, double* out, uint64_t rows);
griddle_status fold_columns(griddle_device*, griddle_fold, griddle_device_type, const void* in, double* out, uint64_t rows,
                            uint64_t row_length);
void close_products(griddle_device&);
griddle_status multiply_matrices(griddle_device*, const double* w, const double* x, double* out, uint64_t rows, uint64_t inner,
                                 uint64_t columns);
// chains/narrow_folds.cu: the same of bits, bytes and 16 bits; columns where rows are whole words
griddle_status fold_narrow_rows(griddle_device&, griddle_fold, griddle_device_type, const void* in, griddle_device_type out_type,
                                void* out, uint64_t rows, uint64_t row_length);
griddle_status fold_narrow_columns(griddle_device&, griddle_fold, griddle_device_type, const void* in, double* out, uint64_t rows,
                                   uint64_t row_length);
// scan.cu
griddle_status scan(griddle_device*, griddle_fold, griddle_device_type in_type, griddle_device_type out_type, const void* in,
                    void* out, uint64_t rows, uint64_t row_length);
griddle_status scan_bits(griddle_device*, const griddle_bit_map*, const void* in, void* out, uint64_t length);
// compact.cu
griddle_status select_if(griddle_device*, uint32_t width, const void* in, const void* mask, void* out, void* rest,
                         uint64_t length);
griddle_status select_bits(griddle_device*, const void* in, const void* mask, void* out, uint64_t count, uint64_t length);
griddle_status runs(griddle_device*, uint32_t width, const void* in, void* firsts, int32_t* starts, uint64_t length,
                    uint64_t* count);
griddle_status fold_runs(griddle_device*, uint32_t width, const void* keys, const double* values, void* firsts, double* sums,
                         uint64_t length, uint64_t* count);
// intervals.cu
griddle_status expand(griddle_device*, const griddle_intervals*, uint32_t width, const void* in, void* out);
griddle_status sum_counts(griddle_device*, const int8_t* counts, uint64_t count, double* ends);
griddle_status expand_counts(griddle_device*, const int8_t* counts, uint64_t count, const double* ends, uint32_t width,
                             const void* in, void* out);
griddle_status move_intervals(griddle_device*, const griddle_intervals*, uint32_t bits_wide, const void* in, void* out);
griddle_status check_intervals(griddle_device*, const griddle_intervals*, uint64_t in_length, uint64_t out_length, int* bad);
// move.cu
griddle_status move(griddle_device*, uint32_t bits_wide, const void* in, int64_t from, int64_t from_step, void* out, int64_t to,
                    uint64_t count);
griddle_status tile(griddle_device*, uint32_t bits_wide, const void* in, uint64_t period, void* out, uint64_t count);
griddle_status gather(griddle_device*, uint32_t bits_wide, const void* in, uint64_t cells, uint64_t cell, griddle_device_type,
                      const void* index, void* out, uint64_t count, int* bad);
griddle_status fold_windows(griddle_device*, const griddle_window_fold*, const void* in, void* out);
// transpose.cu: unsupported where no two axes change places that are long enough
griddle_status transpose(griddle_device&, const griddle_box&, const void* in, void* out);
// box.cu
griddle_status box(griddle_device*, const griddle_box*, const void* in, void* out);
// buckets/scatter.cu
griddle_status scatter(griddle_device*, uint32_t width, const void* before, const void* in, const int32_t* index, void* out,
                       uint64_t count, uint64_t cells, int* repeated);
// values.cu
griddle_status first_places(griddle_device*, griddle_device_type, const void* in, uint64_t length, int64_t low, uint64_t values,
                            int32_t* table);
griddle_status look_up(griddle_device*, griddle_device_type, const void* in, uint64_t count, int64_t low, uint64_t values,
                       const int32_t* table, int32_t absent, int32_t* out);
griddle_status count_values(griddle_device*, griddle_device_type, const void* in, uint64_t length, int64_t low, uint64_t values,
                            int32_t* counts);
griddle_status fold_values(griddle_device*, griddle_fold, griddle_device_type, const void* keys, griddle_device_type number_type,
                           const void* numbers, uint64_t length, int64_t low, uint64_t values, double* out);
// cells.cu
griddle_status digest(griddle_device*, griddle_device_type, const void* in, uint64_t cells, uint64_t cell_length, double* out);
griddle_status match_cells(griddle_device*, griddle_device_type, const void* in, uint64_t cells, uint64_t cell_length,
                           const void* among, uint64_t among_cells, const int32_t* at, int* differ);
griddle_status bins(griddle_device*, griddle_device_type, const void* sorted, uint64_t cells, uint64_t cell_length,
                    const void* sought, int32_t* out, uint64_t count, int after_equals, int descending);
griddle_status in_order(griddle_device*, griddle_device_type, const void* in, uint64_t cells, uint64_t cell_length,
                        int descending, int* ordered);
// find.cu
griddle_status find(griddle_device*, const griddle_find*, const void* text, const void* pattern, void* out);
// random.cu
griddle_status random(griddle_device*, const griddle_random*, void* out, uint64_t length);
// samplers.cu
griddle_status draw_products(griddle_device*, const griddle_product_draws*, int32_t* out, int* fault);
// deal.cu
griddle_status deal(griddle_device*, uint64_t key, uint64_t position, uint64_t limit, int32_t* out);
// sort.cu
griddle_status sort(griddle_device*, griddle_device_type, const void* in, void* out, int32_t* order, uint64_t length,
                    int descending);
// Sorts keys by their bits from `first_bit` up to `end_bit`, and the places with them; ties stay in order. Of u32 and u64.
template <class K>
griddle_status sort_pairs(griddle_device&, const K* in, K* out, const int32_t* places, int32_t* order, uint32_t length,
                          int first_bit, int end_bit);
// buckets/firsts.cu
griddle_status first_equals(griddle_device*, uint32_t width, const void* in, void* marks, int32_t* places, int32_t* firsts,
                            uint64_t length);

}  // namespace griddle::cuda
