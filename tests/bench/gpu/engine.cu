// Times the plug-in's scans, compactions and sorts beside CUB's and a copy of as many bytes, in one run, and checks each answer
// against CUB's. Build and run: ninja -C build gpu/cuda/libgriddle_cuda.so tests/bench/gpu/engine; tests/gpu/on_device.sh times
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <string>
#include <thread>
#include <vector>

#include "gpu/plugin_abi.h"

namespace {

const griddle_plugin* plugin;
griddle_device* device;

void check(cudaError_t e) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
    std::exit(1);
  }
}
void check(griddle_status s) {
  if (s != griddle_done) {
    std::fprintf(stderr, "status %d %s\n", s, plugin->message(device));
    std::exit(1);
  }
}

template <class T>
struct Buffer {
  T* at;
  explicit Buffer(std::size_t n) { check(cudaMalloc(&at, n * sizeof(T) + 512)); }
  ~Buffer() { cudaFree(at); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

// Memory that was given back is wiped while the next programs run: for some 15 ms they have less of the memory's speed.
constexpr auto wiping = std::chrono::milliseconds(40);

// Gives the median time of a call in ms; short calls are timed many at once.
template <class F>
double median(std::size_t n, F call) {
  const int inner = n <= 1 << 20 ? 50 : n <= 1 << 24 ? 8 : 1;
  std::this_thread::sleep_for(wiping);
  for (int i = 0; i < 3; i++) call();
  check(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int i = 0; i < 15; i++) {
    const auto start = std::chrono::steady_clock::now();
    for (int j = 0; j < inner; j++) call();
    check(cudaDeviceSynchronize());
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / inner);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

__global__ void fill(unsigned* to, std::size_t n, unsigned below, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
    x = (x ^ x >> 16) * 0x85ebca6b;
    x = (x ^ x >> 13) * 0xc2b2ae35;
    x ^= x >> 16;
    to[i] = below ? x % below : x;
  }
}
template <class T, class F>
__global__ void convert(T* to, std::size_t n, F f) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
    to[i] = f(i);
}
__global__ void compare(const char* a, const char* b, std::size_t n, unsigned long long* count) {
  unsigned long long differences = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
    differences += a[i] != b[i];
  if (differences) atomicAdd(count, differences);
}
unsigned long long differences(const void* a, const void* b, std::size_t bytes) {
  Buffer<unsigned long long> count(1);
  check(cudaMemset(count.at, 0, 8));
  compare<<<1056, 256>>>(static_cast<const char*>(a), static_cast<const char*>(b), bytes, count.at);
  unsigned long long found;
  check(cudaMemcpy(&found, count.at, 8, cudaMemcpyDeviceToHost));
  return found;
}

template <class T, class F>
void make(T* to, std::size_t n, F f) {
  convert<<<1056, 256>>>(to, n, f);
  check(cudaDeviceSynchronize());
}

double copy_time(std::size_t n, std::size_t bytes_moved) {
  Buffer<char> a(bytes_moved / 2), b(bytes_moved / 2);
  fill<<<1056, 256>>>(reinterpret_cast<unsigned*>(a.at), bytes_moved / 8, 0, 1);
  return median(n, [&] { check(cudaMemcpyAsync(b.at, a.at, bytes_moved / 2, cudaMemcpyDeviceToDevice)); });
}

std::string length_name(std::size_t n) { return n & (n - 1) ? std::to_string(n) : "2^" + std::to_string(__builtin_ctzll(n)); }
void row(const char* what, std::size_t n, double bytes, double ours, double cub, unsigned long long wrong) {
  const double copy = copy_time(n, static_cast<std::size_t>(bytes) / 32 * 32);
  std::printf("| %s | %s | %.4f | %.0f | %.2f | %.4f | %.2f | %s |\n", what, length_name(n).c_str(), ours, bytes / ours / 1e6,
              copy / ours, cub, cub / ours, wrong ? "WRONG" : "yes");
  std::fflush(stdout);
}

template <class F>
double cub_time(std::size_t n, F call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes));
  Buffer<char> scratch(bytes);
  return median(n, [&] { check(call(scratch.at, bytes)); });
}

template <class In, class Out>
void scan(const char* what, std::size_t n, griddle_device_type in_type, griddle_device_type out_type, unsigned below) {
  Buffer<unsigned> random(n);
  Buffer<In> in(n);
  Buffer<Out> out(n), wanted(n);
  fill<<<1056, 256>>>(random.at, n, below, 7);
  make(in.at, n, [r = random.at] __device__(std::size_t i) { return static_cast<In>(r[i]); });
  const double cub = cub_time(n, [&](void* t, std::size_t& b) {
    return cub::DeviceScan::InclusiveScanInit(t, b, in.at, wanted.at, cuda::std::plus<Out>{}, Out{}, n);
  });
  const double ours = median(n, [&] { check(plugin->scan(device, griddle_fold_add, in_type, out_type, in.at, out.at, 1, n)); });
  row(what, n, static_cast<double>(n) * (sizeof(In) + sizeof(Out)), ours, cub, differences(out.at, wanted.at, n * sizeof(Out)));
}

struct NextParity {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return b ^ (0u - (a >> 31)); }
};
void scan_bits(std::size_t n) {
  const std::size_t words = n / 32;
  Buffer<unsigned> in(words), within(words), out(words), wanted(words);
  fill<<<1056, 256>>>(in.at, words, 0, 11);
  make(within.at, words, [p = in.at] __device__(std::size_t i) {
    unsigned x = p[i];
    for (int d = 1; d < 32; d *= 2) x ^= x << d;
    return x;
  });
  // CUB gets words that were scanned within beforehand.
  const double cub = cub_time(n, [&](void* t, std::size_t& b) {
    return cub::DeviceScan::InclusiveScan(t, b, within.at, wanted.at, NextParity{}, words);
  });
  const griddle_bit_map parity = {0, 0, ~0u, 0, 0, 0};
  const double ours = median(n, [&] { check(plugin->scan_bits(device, &parity, in.at, out.at, n)); });
  row("≠\\` on packed bits", n, n / 4.0, ours, cub, differences(out.at, wanted.at, n / 8));
}

template <class T>
void select(const char* what, std::size_t n) {
  Buffer<unsigned> random(n), mask(n / 32);
  Buffer<T> in(n), out(n), rest(n), wanted(n);
  Buffer<char> flags(n);
  Buffer<unsigned long long> kept(1);
  fill<<<1056, 256>>>(random.at, n, 1000, 7);
  make(in.at, n, [r = random.at] __device__(std::size_t i) { return static_cast<T>(r[i]); });
  fill<<<1056, 256>>>(mask.at, n / 32, 0, 5);
  make(flags.at, n, [m = mask.at] __device__(std::size_t i) { return static_cast<char>(m[i / 32] >> (i % 32) & 1); });
  double cub = cub_time(n, [&](void* t, std::size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, in.at, flags.at, wanted.at, kept.at, static_cast<int>(n));
  });
  unsigned long long count;
  check(cudaMemcpy(&count, kept.at, 8, cudaMemcpyDeviceToHost));
  double ours = median(n, [&] { check(plugin->select_if(device, sizeof(T), in.at, mask.at, out.at, nullptr, n)); });
  row(what, n, n * (0.125 + sizeof(T)) + static_cast<double>(count) * sizeof(T), ours, cub,
      differences(out.at, wanted.at, count * sizeof(T)));
  if (sizeof(T) != 4) return;
  cub = cub_time(n, [&](void* t, std::size_t& b) {
    return cub::DevicePartition::Flagged(t, b, in.at, flags.at, wanted.at, kept.at, static_cast<int>(n));
  });
  ours = median(n, [&] { check(plugin->select_if(device, 4, in.at, mask.at, out.at, rest.at, n)); });
  row("partition, half of i32, packed mask (CUB: bytes)", n, n * 8.125, ours, cub, differences(out.at, wanted.at, count * 4));
}

template <class T>
void sort(const char* keys, const char* places, std::size_t n, griddle_device_type type) {
  Buffer<unsigned> random(n);
  Buffer<T> in(n), out(n), wanted(n);
  Buffer<int> counted(n), order(n), wanted_order(n);
  fill<<<1056, 256>>>(random.at, n, 1u << 31, 13);
  make(in.at, n, [r = random.at] __device__(std::size_t i) { return static_cast<T>(r[i]) / 3 - static_cast<T>(1u << 29); });
  double cub = cub_time(
      n, [&](void* t, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, in.at, wanted.at, static_cast<int>(n)); });
  double ours = median(n, [&] { check(plugin->sort(device, type, in.at, out.at, nullptr, n, 0)); });
  const double bytes = static_cast<double>(n) * sizeof(T);
  row(keys, n, 2 * bytes, ours, cub, differences(out.at, wanted.at, n * sizeof(T)));
  // The places are part of the work.
  cub = cub_time(n, [&](void* t, std::size_t& b) {
    if (t) convert<<<1056, 256>>>(counted.at, n, [] __device__(std::size_t i) { return static_cast<int>(i); });
    return cub::DeviceRadixSort::SortPairs(t, b, in.at, out.at, counted.at, wanted_order.at, static_cast<int>(n));
  });
  ours = median(n, [&] { check(plugin->sort(device, type, in.at, nullptr, order.at, n, 0)); });
  row(places, n, bytes + static_cast<double>(n) * 4, ours, cub, differences(order.at, wanted_order.at, n * 4));
}

// Both sides wait for the count, as whoever allocates what comes next.
void runs(std::size_t n, unsigned long_on_average) {
  Buffer<unsigned> random(n), heads(n), keys(n), firsts(n), wanted(n), lengths(n);
  Buffer<int> starts(n);
  Buffer<double> values(n), sums(n), wanted_sums(n);
  Buffer<unsigned long long> kept(1);
  fill<<<1056, 256>>>(random.at, n, 0, 3);
  make(heads.at, n, [r = random.at, long_on_average] __device__(std::size_t i) { return r[i] % long_on_average == 0 ? 1u : 0u; });
  cub_time(n, [&](void* t, std::size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, heads.at, keys.at, n); });
  make(values.at, n, [r = random.at] __device__(std::size_t i) { return static_cast<double>(r[i] % 10); });
  unsigned long long count;
  const auto with_count = [&](void* t, cudaError_t e) {
    return t == nullptr || e != cudaSuccess ? e : cudaMemcpy(&count, kept.at, 8, cudaMemcpyDeviceToHost);
  };
  double cub = cub_time(n, [&](void* t, std::size_t& b) {
    return with_count(t, cub::DeviceRunLengthEncode::Encode(t, b, keys.at, wanted.at, lengths.at, kept.at, static_cast<int>(n)));
  });
  uint64_t found = 0;
  double ours = median(n, [&] { check(plugin->runs(device, 4, keys.at, firsts.at, starts.at, n, &found)); });
  row(("runs of i32, " + std::to_string(long_on_average) + " long").c_str(), n, n * 4.0 + static_cast<double>(count) * 8, ours,
      cub, differences(firsts.at, wanted.at, count * 4) + (found != count));
  cub = cub_time(n, [&](void* t, std::size_t& b) {
    return with_count(t, cub::DeviceReduce::ReduceByKey(t, b, keys.at, wanted.at, values.at, wanted_sums.at, kept.at,
                                                        cuda::std::plus<>{}, static_cast<int>(n)));
  });
  ours = median(n, [&] { check(plugin->fold_runs(device, 4, keys.at, values.at, firsts.at, sums.at, n, &found)); });
  row(("sums of f64 by i32 key, runs " + std::to_string(long_on_average) + " long").c_str(), n,
      n * 12.0 + static_cast<double>(count) * 12, ours, cub, differences(sums.at, wanted_sums.at, count * 8) + (found != count));
}

}  // namespace

int main(int count, char** arguments) {
  void* library = dlopen(count > 1 ? arguments[1] : "libgriddle_cuda.so", RTLD_NOW);
  const auto function = library ? reinterpret_cast<griddle_plugin_function>(dlsym(library, GRIDDLE_PLUGIN_SYMBOL)) : nullptr;
  if (function == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  plugin = function();
  griddle_device_info info;
  check(plugin->open(&device, &info));
  std::printf("%s\n\n| work | n | ms | GB/s | share of copy | CUB ms | times CUB | right |\n|---|---|---|---|---|---|---|---|\n",
              info.name);
  const bool all = count < 3;  // with a second argument, runs alone
  for (const std::size_t n : {std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{1} << 24, std::size_t{1} << 28}) {
    if (!all) break;
    scan<int, int>("+\\` i32", n, griddle_device_i32, griddle_device_i32, 8);
    scan<double, double>("+\\` f64", n, griddle_device_f64, griddle_device_f64, 8);
    scan<signed char, int>("+\\` i8 to i32", n, griddle_device_i8, griddle_device_i32, 2);
    scan<signed char, double>("+\\` i8 to f64", n, griddle_device_i8, griddle_device_f64, 100);
    scan_bits(n);
    select<unsigned char>("select, half of i8, packed mask (CUB: bytes)", n);
    select<unsigned short>("select, half of i16, packed mask (CUB: bytes)", n);
    select<unsigned>("select, half of i32, packed mask (CUB: bytes)", n);
    sort<int>("∧ i32", "⍋ i32", n, griddle_device_i32);
    sort<double>("∧ f64", "⍋ f64", n, griddle_device_f64);
  }
  for (const std::size_t n :
       {std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{3} * 1000 * 1000, std::size_t{1} << 24, std::size_t{1} << 27})
    for (const unsigned long_on_average : {1u, 2u, 4u, 8u, 32u, 500u}) runs(n, long_on_average);
  plugin->close(device);
}
