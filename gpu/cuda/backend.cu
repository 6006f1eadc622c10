// The plug-in's table, the device and its memory.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "gpu/cuda/chains/made.h"
#include "gpu/cuda/device.h"

namespace griddle::cuda {

griddle_status status_of(griddle_device& d, cudaError_t error) {
  if (error == cudaSuccess) return griddle_done;
  cudaGetLastError();  // an error that does not stick must not meet the next call
  d.message = cudaGetErrorString(error);
  return error == cudaErrorMemoryAllocation ? griddle_no_memory : griddle_failed;
}

namespace {

// What stands where an answer is awaited: a NaN that nobody computes. Where somebody does, it takes longer.
constexpr std::uint64_t unanswered = 0x7FF4'6772'6964'646C;

void expect(double* answer) { std::memcpy(answer, &unanswered, sizeof unanswered); }
bool is_answered(const double* answer) {
  double now;
  __atomic_load(answer, &now, __ATOMIC_ACQUIRE);
  return std::memcmp(&now, &unanswered, sizeof now) != 0;
}
// Waits for an answer by looking for it. Waiting for the stream takes some microseconds more, which matter where little is done.
griddle_status await(griddle_device& d, double* answer, double* to) {
  using namespace std::chrono_literals;
  griddle_status s = griddle_done;
  const auto until = std::chrono::steady_clock::now() + 50us;
  while (!is_answered(answer) && std::chrono::steady_clock::now() < until) {
  }
  if (!is_answered(answer)) s = status_of(d, cudaStreamSynchronize(d.stream));
  *to = *answer;
  expect(answer);
  return s;
}

}  // namespace

griddle_status take_answer(griddle_device& d, double* to) { return await(d, d.host_answer, to); }
griddle_status fetch_answer(griddle_device& d, double* to) {
  double* const copy = d.host_answer + 1;
  const griddle_status s = status_of(d, cudaMemcpyAsync(copy, d.answer, sizeof(double), cudaMemcpyDeviceToHost, d.stream));
  return s == griddle_done ? await(d, copy, to) : s;
}
griddle_status take_flag(griddle_device& d, int* to) {
  double answer = 0;
  const griddle_status s = fetch_answer(d, &answer);
  std::uint64_t bits;
  std::memcpy(&bits, &answer, sizeof bits);
  *to = static_cast<int>(bits != 0);
  return s;
}

griddle_status allocate(griddle_device* d, size_t bytes, void** memory) {
  bytes += 512;
  *memory = nullptr;
  if (bytes <= SmallBlocks::page_bytes / 2 && !d->blocks_apart) {
    if (!d->small_blocks.has_memory()) {
      void* all = nullptr;
      const griddle_status s = status_of(*d, cudaMallocFromPoolAsync(&all, SmallBlocks::all_bytes, d->pool, d->stream));
      if (s == griddle_failed) return s;
      if (s == griddle_done) d->small_blocks.use(all);
    }
    try {
      *memory = d->small_blocks.take(bytes);
    } catch (const std::bad_alloc&) {
    }
    if (*memory != nullptr) return griddle_done;
  }
  return status_of(*d, cudaMallocFromPoolAsync(memory, bytes, d->pool, d->stream));
}
void release(griddle_device* d, void* memory) {
  if (memory != nullptr && !d->small_blocks.give_back(memory)) cudaFreeAsync(memory, d->stream);
}

namespace {

constexpr std::size_t first_word_bytes = std::size_t{4} << 20;

void close(griddle_device* d) {
  if (d == nullptr) return;
  if (d->stream) cudaStreamSynchronize(d->stream);
  close_products(*d);
  close_made(*d);
  cudaFree(d->words);
  cudaFree(d->tickets);
  cudaFree(d->partials);
  cudaFreeHost(d->host_answer);
  close_lanes(*d);
  if (d->pool) cudaMemPoolDestroy(d->pool);
  if (d->stream) cudaStreamDestroy(d->stream);
  delete d;
}

griddle_status prepare(griddle_device& d, griddle_device_info& info) {
  cudaDeviceProp p;
  cudaMemPoolProps pool{};
  pool.allocType = cudaMemAllocationTypePinned;
  pool.location = {cudaMemLocationTypeDevice, 0};
  std::uint64_t keep_all = ~std::uint64_t{0};
  cudaError_t e = cudaGetDeviceProperties(&p, 0);
  if (e == cudaSuccess) e = cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking);
  if (e == cudaSuccess) e = cudaMemPoolCreate(&d.pool, &pool);
  if (e == cudaSuccess) e = cudaMemPoolSetAttribute(d.pool, cudaMemPoolAttrReleaseThreshold, &keep_all);
  if (e == cudaSuccess) e = open_lanes(d);
  if (e == cudaSuccess) e = cudaMallocHost(reinterpret_cast<void**>(&d.host_answer), 64 + few_bytes);
  if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&d.words), first_word_bytes);
  if (e == cudaSuccess) e = cudaMemset(d.words, 0, first_word_bytes);
  if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&d.tickets), 256);
  if (e == cudaSuccess) e = cudaMemset(d.tickets, 0, 256);
  if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&d.partials), (most_partials + 8) * sizeof(double));
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  if (e != cudaSuccess) return status_of(d, e);
  expect(d.host_answer);
  expect(d.host_answer + 1);
  const char* const memory = secure_getenv("GRIDDLE_DEVICE_MEMORY");
  d.blocks_apart = memory != nullptr && std::string_view(memory) == "apart";
  d.word_bytes = first_word_bytes;
  d.arrivals = d.tickets + 16;
  d.answer = d.partials + most_partials;
  d.multiprocessors = p.multiProcessorCount;
  d.capability = p.major * 10 + p.minor;
  d.largest_shared = static_cast<int>(p.sharedMemPerBlockOptin);
  std::memcpy(info.name, p.name, sizeof info.name);
  info.name[sizeof info.name - 1] = 0;
  info.memory_bytes = p.totalGlobalMem;
  info.multiprocessors = static_cast<std::uint32_t>(p.multiProcessorCount);
  info.capability = static_cast<std::uint32_t>(d.capability);
  int driver = 0;
  cudaDriverGetVersion(&driver);
  info.driver = static_cast<std::uint32_t>(driver);
  return griddle_done;
}

griddle_status open(griddle_device** out, griddle_device_info* info) {
  *out = nullptr;
  *info = {};
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    cudaGetLastError();
    return griddle_unsupported;
  }
  griddle_device* d = new (std::nothrow) griddle_device;
  if (d == nullptr) return griddle_no_memory;
  griddle_status s = prepare(*d, *info);
  if (s == griddle_done)
    *out = d;
  else
    close(d);
  return s;
}

const char* message(griddle_device* d) { return d->message.c_str(); }

void trim(griddle_device* d) {
  cudaStreamSynchronize(d->stream);
  cudaMemPoolTrimTo(d->pool, 0);
}
griddle_status wait(griddle_device* d) { return status_of(*d, cudaStreamSynchronize(d->stream)); }
griddle_status wait_for_all(griddle_device* d) { return status_of(*d, cudaDeviceSynchronize()); }

constexpr griddle_plugin table = {
    GRIDDLE_PLUGIN_VERSION,
    sizeof(griddle_plugin),
    open,
    close,
    message,
    allocate,
    release,
    trim,
    upload,
    download,
    wait,
    wait_for_all,
    keep_kernels,
    import_numbers,
    map,
    fold,
    scan,
    scan_bits,
    fold_rows,
    fold_columns,
    fold_chain_columns,
    fold_windows,
    count_bits,
    select_if,
    select_bits,
    runs,
    fold_runs,
    expand,
    sum_counts,
    expand_counts,
    move_intervals,
    check_intervals,
    move,
    tile,
    gather,
    box,
    scatter,
    random,
    draw_products,
    deal,
    digest,
    match_cells,
    find,
    sort,
    bins,
    in_order,
    first_equals,
    first_places,
    look_up,
    count_values,
    fold_values,
    multiply_matrices,
};

}  // namespace

}  // namespace griddle::cuda

extern "C" __attribute__((visibility("default"))) const griddle_plugin* griddle_device_plugin() { return &griddle::cuda::table; }
