// The plug-in's table, the device and its memory.
#include <cstring>
#include <new>

#include "gpu/cuda/chains/made.h"
#include "gpu/cuda/device.h"

namespace griddle::cuda {

griddle_status status_of(griddle_device& d, cudaError_t error) {
  if (error == cudaSuccess) return griddle_done;
  cudaGetLastError();  // an error that does not stick must not meet the next call
  d.message = cudaGetErrorString(error);
  return error == cudaErrorMemoryAllocation ? griddle_no_memory : griddle_failed;
}

griddle_status take_answer(griddle_device& d, double* to) {
  const griddle_status s = status_of(d, cudaStreamSynchronize(d.stream));
  *to = *d.host_answer;
  return s;
}
griddle_status fetch_answer(griddle_device& d, double* to) {
  griddle_status s = status_of(d, cudaMemcpyAsync(d.host_answer, d.answer, sizeof(double), cudaMemcpyDeviceToHost, d.stream));
  if (s == griddle_done) s = status_of(d, cudaStreamSynchronize(d.stream));
  *to = *d.host_answer;
  return s;
}
griddle_status take_flag(griddle_device& d, int* to) {
  double answer = 0;
  const griddle_status s = fetch_answer(d, &answer);
  std::uint64_t bits;
  std::memcpy(&bits, &answer, sizeof bits);
  *to = static_cast<int>(bits != 0);
  return s;
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
  if (e == cudaSuccess) e = cudaMallocHost(reinterpret_cast<void**>(&d.host_answer), 64);
  if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&d.words), first_word_bytes);
  if (e == cudaSuccess) e = cudaMemset(d.words, 0, first_word_bytes);
  if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&d.tickets), 256);
  if (e == cudaSuccess) e = cudaMemset(d.tickets, 0, 256);
  if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void**>(&d.partials), (most_partials + 8) * sizeof(double));
  if (e == cudaSuccess) e = cudaDeviceSynchronize();
  if (e != cudaSuccess) return status_of(d, e);
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

griddle_status allocate(griddle_device* d, size_t bytes, void** memory) {
  *memory = nullptr;
  return status_of(*d, cudaMallocFromPoolAsync(memory, bytes + 512, d->pool, d->stream));
}
void release(griddle_device* d, void* memory) {
  if (memory) cudaFreeAsync(memory, d->stream);
}
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
