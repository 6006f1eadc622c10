// Times layouts of the look-back engine beside each other, for the tables in gpu/cuda/policy.h: one line for each layout, with
// its share of the speed of a copy of as many bytes, and of a kernel that moves the same bytes and does nothing else (the
// ceiling). Built with the plug-in's objects (tests/bench/gpu/meson.build). Arguments: the families wanted (all).
#include <thrust/iterator/counting_iterator.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <string_view>
#include <thread>
#include <vector>

#include "gpu/cuda/bit_scan.cuh"
#include "gpu/cuda/compact_narrow.cuh"
#include "gpu/cuda/launch.cuh"
#include "gpu/cuda/runs.cuh"
#include "gpu/cuda/scan.cuh"

extern "C" const griddle_plugin* griddle_device_plugin();

namespace griddle::cuda {

namespace {

griddle_device* device;

void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}

template <class T>
struct Buffer {
  T* at;
  explicit Buffer(std::size_t n) { must(cudaMalloc(&at, n * sizeof(T) + 512)); }
  ~Buffer() { cudaFree(at); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

// Gives the median time of a call in ms, by events on the device's stream.
template <class F>
double median(F call) {
  // Memory that was given back is wiped while the next programs run: for some 15 ms they have less of the memory's speed.
  std::this_thread::sleep_for(std::chrono::milliseconds(40));
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 12; i++) {
    must(cudaEventRecord(begin, device->stream));
    call();
    must(cudaEventRecord(end, device->stream));
    must(cudaEventSynchronize(end));
    float ms;
    must(cudaEventElapsedTime(&ms, begin, end));
    if (i > 2) times.push_back(ms);
  }
  must(cudaEventDestroy(begin));
  must(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class F>
double cub_median(F call) {
  std::size_t bytes = 0;
  must(call(nullptr, bytes));
  Buffer<char> scratch(bytes);
  return median([&] { must(call(scratch.at, bytes)); });
}

constexpr int blocks = 1056, threads = 256;
template <class F>
__global__ void each(std::size_t n, F f) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) f(i);
}
template <class F>
void for_each(std::size_t n, F f) {
  each<<<blocks, threads, 0, device->stream>>>(n, f);
  must(cudaGetLastError());
}
__device__ unsigned scrambled(std::size_t i, unsigned seed) {
  unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
  x = (x ^ x >> 16) * 0x85ebca6b;
  x = (x ^ x >> 13) * 0xc2b2ae35;
  return x ^ x >> 16;
}
unsigned long long differences(const void* a, const void* b, std::size_t bytes) {
  Buffer<unsigned long long> count(1);
  must(cudaMemsetAsync(count.at, 0, 8, device->stream));
  for_each(bytes / 4,
           [p = static_cast<const unsigned*>(a), q = static_cast<const unsigned*>(b), c = count.at] __device__(std::size_t i) {
             if (p[i] != q[i]) atomicAdd(c, 1ull);
           });
  unsigned long long found;
  must(cudaMemcpyAsync(&found, count.at, 8, cudaMemcpyDeviceToHost, device->stream));
  must(cudaStreamSynchronize(device->stream));
  return found;
}

// What one family of layouts is measured against.
struct Marks {
  const char* what;
  double copy, ceiling, cub;
};
Marks marks(const char* what, double bytes, double ceiling, double cub) {
  const std::size_t half = static_cast<std::size_t>(bytes / 2) / 16 * 16;
  Buffer<char> a(half), b(half);
  const double copy = median([&] { must(cudaMemcpyAsync(b.at, a.at, half, cudaMemcpyDeviceToDevice, device->stream)); });
  std::printf("\n%s: copy %.4f ms (%.0f GB/s), ceiling %.4f ms (%.2f of copy), CUB %.4f ms\n", what, copy, bytes / copy / 1e6,
              ceiling, copy / ceiling, cub);
  std::printf(
      "| warps rows stages ahead depth blocks | ms | share of copy | share of ceiling | times CUB | right "
      "|\n|---|---|---|---|---|---|\n");
  return {what, copy, ceiling, cub};
}

template <class Job, Tuning t>
void layout(const Marks& m, const Job& job, const void* out, const void* wanted, std::size_t bytes) {
  bool fits = true;
  const double ms = median([&] { fits &= run_persistent<Job, t>(*device, job, job.tiles) == griddle_done; });
  if (!fits) {
    std::printf("| %d %d %d %d %d %d | does not fit |\n", t.warps, t.rows, t.stages, t.ahead, t.depth, t.blocks);
    return;
  }
  std::printf("| %d %d %d %d %d %d | %.4f | %.3f | %.3f | %.3f | %s |\n", t.warps, t.rows, t.stages, t.ahead, t.depth, t.blocks,
              ms, m.copy / ms, m.ceiling / ms, m.cub / ms, differences(out, wanted, bytes) ? "WRONG" : "yes");
  std::fflush(stdout);
}

// --- scans

// Moves the bytes that a scan moves: a lane writes 16 bytes at once.
template <class In, class Out>
__global__ void widen(const In* from, Out* to, std::size_t n) {
  constexpr int group = 16 / sizeof(Out);
  struct alignas(sizeof(In) * group) Group {
    In of[group];
  };
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n / group;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const Group g = reinterpret_cast<const Group*>(from)[i];
    Out wide[group];
#pragma unroll
    for (int k = 0; k < group; k++) wide[k] = static_cast<Out>(g.of[k]);
    __stcs(reinterpret_cast<int4*>(to) + i, bits_as<int4>(wide));
  }
}

template <class In, class Out, class Op, Tuning... layouts>
void scans(const char* what, std::size_t n) {
  Buffer<In> in(n);
  Buffer<Out> out(n), wanted(n);
  for_each(n, [p = in.at] __device__(std::size_t i) { p[i] = static_cast<In>(static_cast<int>(scrambled(i, 7) % 5) - 2); });
  const double cub = cub_median([&](void* t, std::size_t& b) {
    return cub::DeviceScan::InclusiveScanInit(t, b, in.at, wanted.at, ::cuda::std::plus<Out>{}, Out{}, n, device->stream);
  });
  const double ceiling = median([&] { widen<In, Out><<<blocks * 2, threads * 2, 0, device->stream>>>(in.at, out.at, n); });
  const Marks m = marks(what, static_cast<double>(n) * (sizeof(In) + sizeof(Out)), ceiling, cub);
  const auto one = [&]<Tuning t>() {
    using Job = Scan<In, Out, Op, t.warps, t.rows>;
    Job job{};
    const u32 tiles = tiles_for(n, Job::tile_length);
    job.in = reinterpret_cast<const char*>(in.at);
    job.out = out.at;
    job.table = {static_cast<i64>(n), tiles};
    job.tiles = tiles;
    layout<Job, t>(m, job, out.at, wanted.at, n * sizeof(Out));
  };
  (one.template operator()<layouts>(), ...);
}

double read_time(const void* a, std::size_t bytes, unsigned* sink) {
  return median([&] {
    each<<<blocks * 2, threads * 2, 0, device->stream>>>(bytes / 16,
                                                         [p = static_cast<const int4*>(a), sink] __device__(std::size_t i) {
                                                           const int4 v = p[i];
                                                           if ((v.x ^ v.y ^ v.z ^ v.w) == 0x7FFFFFF1) *sink = 1;
                                                         });
  });
}

// --- selections, of half

template <class T, Tuning... layouts>
void selections(const char* what, std::size_t n) {
  Buffer<T> in(n), out(n), wanted(n);
  Buffer<unsigned> mask(n / 32);
  Buffer<char> flags(n);
  Buffer<u64> count(1);
  for_each(n, [p = in.at] __device__(std::size_t i) { p[i] = static_cast<T>(scrambled(i, 7)); });
  for_each(n / 32, [p = mask.at] __device__(std::size_t i) { p[i] = scrambled(i, 5); });
  for_each(n, [p = flags.at, m = mask.at] __device__(std::size_t i) { p[i] = static_cast<char>(m[i / 32] >> (i % 32) & 1); });
  const double cub = cub_median([&](void* t, std::size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, in.at, flags.at, wanted.at, count.at, static_cast<int>(n), device->stream);
  });
  u64 found;
  must(cudaMemcpy(&found, count.at, 8, cudaMemcpyDeviceToHost));
  const double bytes = n * (sizeof(T) + 0.125) + found * sizeof(T);
  const Marks m = marks(what, bytes, read_time(in.at, static_cast<std::size_t>(bytes) / 16 * 16 / 2, mask.at), cub);
  const auto one = [&]<Tuning t>() {
    using Job = SelectNarrow<T, t.warps, t.rows>;
    Job job{};
    job.in = in.at;
    job.mask = mask.at;
    job.out = out.at;
    job.length = static_cast<i64>(n);
    job.tiles = tiles_for(n, Job::tile_length);
    layout<Job, t>(m, job, out.at, wanted.at, found * sizeof(T) / 4 * 4);
  };
  (one.template operator()<layouts>(), ...);
}

// The places of half of the bits of a mask, with those of the others where `both`. CUB selects among places that it counts.
template <bool both, Tuning... layouts>
void places(const char* what, std::size_t n) {
  Buffer<unsigned> out(n), rest(n), wanted(n), mask(n / 32);
  Buffer<char> flags(n);
  Buffer<u64> count(1);
  for_each(n / 32, [p = mask.at] __device__(std::size_t i) { p[i] = scrambled(i, 5); });
  for_each(n, [p = flags.at, m = mask.at] __device__(std::size_t i) { p[i] = static_cast<char>(m[i / 32] >> (i % 32) & 1); });
  const thrust::counting_iterator<unsigned> all(0);
  const double cub = cub_median([&](void* t, std::size_t& b) {
    return both ? cub::DevicePartition::Flagged(t, b, all, flags.at, wanted.at, count.at, static_cast<int>(n), device->stream)
                : cub::DeviceSelect::Flagged(t, b, all, flags.at, wanted.at, count.at, static_cast<int>(n), device->stream);
  });
  u64 found;
  must(cudaMemcpy(&found, count.at, 8, cudaMemcpyDeviceToHost));
  const std::size_t written = (both ? n : found) * 4;
  const double bytes = n / 8.0 + written;
  const Marks m = marks(what, bytes, read_time(out.at, static_cast<std::size_t>(bytes) / 32 * 16, mask.at), cub);
  const auto one = [&]<Tuning t>() {
    using Job = PlacesOfMarks<both, t.warps, t.rows>;
    Job job{};
    job.mask = mask.at;
    job.out = out.at;
    job.rest = rest.at;
    job.length = static_cast<i64>(n);
    job.tiles = tiles_for(n, Job::tile_length);
    layout<Job, t>(m, job, out.at, wanted.at, found * 4);
  };
  (one.template operator()<layouts>(), ...);
}

// --- packed bits: results are compared with those of the first layout, since CUB has none

template <int warps, int rows>
using XorScan = BitScan<true, warps, rows>;

void fill_bits(const Buffer<unsigned>& to, std::size_t n, unsigned seed) {
  for_each(n / 32, [p = to.at, seed] __device__(std::size_t i) { p[i] = scrambled(i, seed); });
}

// Moves so many bytes in all; the results that are surely there have so many.
template <template <int, int> class JobOf, Tuning... layouts>
void of_bits(const char* what, std::size_t n, double bytes, std::size_t of_results) {
  Buffer<unsigned> in(n / 32), out(n / 32), wanted(n / 32), mask(n / 32);
  fill_bits(in, n, 7);
  fill_bits(mask, n, 5);
  const Marks m = marks(what, bytes, read_time(in.at, n / 8, out.at), 0);
  bool first = true;
  const auto one = [&]<Tuning t>() {
    using Job = JobOf<t.warps, t.rows>;
    must(cudaMemsetAsync(out.at, 0, n / 8, device->stream));
    Job job{};
    if constexpr (requires { job.mask; }) job.mask = mask.at;
    job.in = reinterpret_cast<decltype(job.in)>(in.at);
    job.out = out.at;
    job.length = static_cast<i64>(n);
    job.tiles = tiles_for(n, Job::tile_length);
    if (first) {
      run_persistent<Job, t>(*device, job, job.tiles);
      must(cudaMemcpyAsync(wanted.at, out.at, n / 8, cudaMemcpyDeviceToDevice, device->stream));
    }
    first = false;
    layout<Job, t>(m, job, out.at, wanted.at, of_results);
  };
  (one.template operator()<layouts>(), ...);
}

// --- runs

// Fills keys in ascending order, about 500 alike.
void fill_keys(Buffer<unsigned>& keys, std::size_t n) {
  Buffer<unsigned> heads(n);
  for_each(n, [p = heads.at] __device__(std::size_t i) { p[i] = scrambled(i, 3) % 500 == 0; });
  std::size_t bytes = 0;
  must(cub::DeviceScan::InclusiveSum(nullptr, bytes, heads.at, keys.at, n, device->stream));
  Buffer<char> scratch(bytes);
  must(cub::DeviceScan::InclusiveSum(scratch.at, bytes, heads.at, keys.at, n, device->stream));
  must(cudaStreamSynchronize(device->stream));
}

template <Tuning... layouts>
void runs(std::size_t n) {
  Buffer<unsigned> keys(n), firsts(n), wanted(n), lengths(n), starts(n);
  Buffer<u64> count(1);
  fill_keys(keys, n);
  const double cub = cub_median([&](void* t, std::size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, keys.at, wanted.at, lengths.at, count.at, static_cast<int>(n),
                                              device->stream);
  });
  u64 found;
  must(cudaMemcpy(&found, count.at, 8, cudaMemcpyDeviceToHost));
  const Marks m = marks("runs of i32, 500 long, 2^27", n * 4.0 + found * 8.0, read_time(keys.at, n * 4, lengths.at), cub);
  const auto one = [&]<Tuning t>() {
    using Job = Runs<unsigned, t.warps, t.rows>;
    Job job{};
    job.keys = keys.at;
    job.keys_out = firsts.at;
    job.starts = starts.at;
    job.runs = count.at;
    job.length = static_cast<i64>(n);
    job.tiles = tiles_for(n, Job::tile_length);
    layout<Job, t>(m, job, firsts.at, wanted.at, found * 4);
  };
  (one.template operator()<layouts>(), ...);
}

template <class Value, Tuning... layouts>
void fold_runs(const char* what, std::size_t n) {
  Buffer<unsigned> keys(n), firsts(n), wanted(n);
  Buffer<Value> values(n), sums(n), wanted_sums(n);
  Buffer<u64> count(1);
  fill_keys(keys, n);
  for_each(n, [p = values.at] __device__(std::size_t i) { p[i] = static_cast<Value>(scrambled(i, 9) % 10); });
  const double cub = cub_median([&](void* t, std::size_t& b) {
    return cub::DeviceReduce::ReduceByKey(t, b, keys.at, wanted.at, values.at, wanted_sums.at, count.at, ::cuda::std::plus<>{},
                                          static_cast<int>(n), device->stream);
  });
  u64 found;
  must(cudaMemcpy(&found, count.at, 8, cudaMemcpyDeviceToHost));
  const double reading = read_time(keys.at, n * 4, firsts.at) + read_time(values.at, n * sizeof(Value), firsts.at);
  const Marks m = marks(what, n * (4.0 + sizeof(Value)) + found * (4.0 + sizeof(Value)), reading, cub);
  const auto one = [&]<Tuning t>() {
    using Job = FoldRuns<unsigned, Value, t.warps, t.rows>;
    Job job{};
    job.keys = keys.at;
    job.values = values.at;
    job.keys_out = firsts.at;
    job.sums = sums.at;
    job.runs = count.at;
    job.length = static_cast<i64>(n);
    job.tiles = tiles_for(n, Job::tile_length);
    layout<Job, t>(m, job, sums.at, wanted_sums.at, found * sizeof(Value));
  };
  (one.template operator()<layouts>(), ...);
}

}  // namespace

}  // namespace griddle::cuda

int main(int count, char** arguments) {
  using namespace griddle::cuda;
  griddle_device_info info;
  if (griddle_device_plugin()->open(&device, &info) != griddle_done) {
    std::fprintf(stderr, "There is no device\n");
    return 2;
  }
  std::printf("%s\n", info.name);
  const auto wants = [&](std::string_view family) {
    return count == 1 || std::find(arguments + 1, arguments + count, family) != arguments + count;
  };
  constexpr std::size_t n = std::size_t{1} << 28;
  using std::int8_t, std::int16_t;
  if (wants("i8"))
    scans<int8_t, int, Add<int>, Tuning{16, 8, 12, 6, 5}, Tuning{16, 8, 12, 9, 5}, Tuning{16, 8, 12, 3, 5},
          Tuning{16, 16, 6, 4, 5}, Tuning{16, 16, 6, 3, 5}, Tuning{16, 16, 6, 2, 5}, Tuning{16, 4, 16, 10, 5},
          Tuning{8, 16, 12, 6, 5}, Tuning{8, 32, 6, 3, 5}, Tuning{24, 8, 8, 4, 5}, Tuning{28, 8, 7, 4, 5},
          Tuning{28, 4, 12, 6, 5}, Tuning{12, 16, 8, 4, 5}, Tuning{20, 16, 5, 3, 5}, Tuning{8, 8, 12, 6, 9, 2},
          Tuning{8, 16, 6, 3, 9, 2}, Tuning{12, 8, 8, 4, 9, 2}, Tuning{16, 8, 6, 3, 9, 2}>("+` i8 to i32, 2^28", n);
  if (wants("i8f64"))
    scans<int8_t, double, Add<long long>, Tuning{16, 8, 12, 6, 5}, Tuning{16, 16, 12, 6, 5}, Tuning{16, 16, 12, 3, 5},
          Tuning{28, 8, 12, 6, 5}, Tuning{8, 32, 12, 6, 5}, Tuning{16, 32, 6, 3, 5}, Tuning{8, 16, 10, 5, 9, 2}>(
        "+` i8 to f64, 2^28", n);
  if (wants("i16"))
    scans<int16_t, int, Add<int>, Tuning{16, 8, 6, 4, 5}, Tuning{16, 4, 12, 6, 5}, Tuning{16, 8, 6, 3, 5}, Tuning{24, 4, 8, 4, 5},
          Tuning{8, 8, 12, 6, 5}, Tuning{8, 8, 6, 3, 9, 2}>("+` i16 to i32, 2^28", n);
  if (wants("i32"))
    scans<int, int, Add<int>, Tuning{16, 4, 6, 4, 3}, Tuning{16, 4, 6, 3, 5}, Tuning{16, 4, 6, 4, 5}, Tuning{16, 2, 12, 8, 5}>(
        "+` i32, 2^28", n);
  if (wants("select8"))
    selections<std::uint8_t, Tuning{28, 2, 5, 3, 5}, Tuning{16, 4, 5, 3, 5}, Tuning{14, 4, 6, 4, 5}, Tuning{12, 4, 7, 5, 5},
               Tuning{20, 4, 4, 2, 5}, Tuning{12, 6, 4, 2, 5}, Tuning{24, 2, 6, 4, 5}, Tuning{16, 2, 8, 5, 5}>("half of i8, 2^28",
                                                                                                               n);
  if (wants("select16"))
    selections<std::uint16_t, Tuning{28, 2, 5, 3, 5}, Tuning{16, 4, 5, 3, 5}, Tuning{14, 4, 6, 4, 5}, Tuning{12, 4, 7, 5, 5},
               Tuning{20, 4, 4, 2, 5}, Tuning{12, 6, 4, 2, 5}, Tuning{24, 2, 6, 4, 5}, Tuning{16, 2, 8, 5, 5}>(
        "half of i16, 2^28", n);
  if (wants("places"))
    places<false, Tuning{16, 4, 6, 4, 5}, Tuning{16, 2, 8, 5, 5}, Tuning{28, 2, 6, 4, 5}, Tuning{28, 4, 5, 3, 5},
           Tuning{28, 1, 8, 5, 5}, Tuning{16, 1, 8, 5, 5, 2}, Tuning{16, 4, 6, 4, 5, 2}, Tuning{20, 4, 6, 4, 5}>(
        "places of half of the bits, 2^28", n);
  if (wants("grade1"))
    places<true, Tuning{16, 4, 6, 4, 5}, Tuning{16, 2, 8, 5, 5}, Tuning{28, 2, 6, 4, 5}, Tuning{28, 4, 5, 3, 5},
           Tuning{28, 1, 8, 5, 5}, Tuning{16, 1, 8, 5, 5, 2}, Tuning{16, 4, 6, 4, 5, 2}, Tuning{20, 4, 6, 4, 5}>(
        "places of bits and of the others, 2^28", n);
  if (wants("select1"))
    of_bits<SelectBits, Tuning{28, 1, 5, 3, 5}, Tuning{28, 1, 7, 4, 5}, Tuning{24, 1, 8, 5, 5}, Tuning{16, 2, 5, 3, 5},
            Tuning{16, 2, 6, 4, 5}, Tuning{20, 2, 5, 3, 5}, Tuning{10, 4, 5, 3, 5}, Tuning{12, 4, 4, 2, 5}>(
        "half of packed bits, 2^28", n, n / 8.0 * 2.5, n / 16 - 4096);
  if (wants("xor"))
    of_bits<XorScan, Tuning{16, 4, 6, 4, 5}, Tuning{16, 4, 6, 3, 5}, Tuning{16, 4, 7, 4, 5}, Tuning{28, 2, 8, 6, 5},
            Tuning{28, 2, 8, 5, 5}, Tuning{24, 2, 9, 7, 5}, Tuning{24, 2, 9, 6, 5}, Tuning{24, 2, 9, 5, 5},
            Tuning{16, 3, 9, 7, 5}, Tuning{24, 3, 6, 4, 5}, Tuning{16, 2, 14, 11, 5}, Tuning{16, 2, 12, 8, 5}>(
        "≠` of packed bits, 2^28", n, n / 4.0, n / 8);
  if (wants("runs"))
    runs<Tuning{20, 4, 5, 3, 5}, Tuning{20, 4, 5, 2, 5}, Tuning{16, 4, 6, 4, 5}, Tuning{16, 4, 6, 3, 5}, Tuning{26, 4, 4, 2, 5},
         Tuning{26, 2, 8, 4, 5}, Tuning{26, 2, 8, 5, 5}, Tuning{22, 4, 5, 3, 5}>(n / 2);
  if (wants("f32"))
    fold_runs<float, Tuning{20, 2, 5, 3, 5}, Tuning{22, 2, 5, 3, 5}, Tuning{18, 2, 6, 4, 5}, Tuning{16, 2, 6, 4, 5},
              Tuning{16, 2, 6, 3, 5}, Tuning{26, 2, 4, 2, 5}, Tuning{26, 1, 8, 5, 5}, Tuning{26, 1, 8, 6, 5},
              Tuning{20, 1, 10, 7, 5}, Tuning{20, 1, 10, 8, 5}, Tuning{22, 1, 9, 7, 5}, Tuning{8, 2, 6, 4, 9, 2}>(
        "sums of f32 by i32 key, 500 long, 2^27", n / 2);
  if (wants("f64"))
    fold_runs<double, Tuning{14, 2, 5, 3, 5}, Tuning{14, 2, 5, 2, 5}, Tuning{12, 2, 6, 4, 5}, Tuning{18, 2, 4, 2, 5},
              Tuning{16, 1, 8, 5, 5}, Tuning{16, 1, 9, 6, 5}, Tuning{16, 1, 9, 7, 5}, Tuning{18, 1, 8, 6, 5},
              Tuning{20, 1, 7, 5, 5}, Tuning{28, 1, 5, 3, 5}, Tuning{7, 4, 5, 3, 5}>("sums of f64 by i32 key, 500 long, 2^27",
                                                                                     n / 2);
  griddle_device_plugin()->close(device);
}
