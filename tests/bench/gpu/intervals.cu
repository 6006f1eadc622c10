// Times the plug-in's repetitions and moves of intervals beside a copy of as many bytes, in one run, and checks the ends of each
// interval. Prints: what, bits of an element, intervals, GB/s, and the share of the copy's. Bytes are those of counts, places,
// elements read and elements written. Build and run: ninja -C build/full gpu/cuda/libgriddle_cuda.so tests/bench/gpu/intervals;
// build/full/tests/bench/gpu/intervals build/full/gpu/cuda/libgriddle_cuda.so
// With PARTS set, also what repetitions consist of, and moves by a kernel that has nothing to look for.
#include <dlfcn.h>

#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gpu/plugin_abi.h"

namespace {

const griddle_plugin* plugin;
griddle_device* device;

void check(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
  std::exit(1);
}
void check(griddle_status s) {
  if (s == griddle_done) return;
  std::fprintf(stderr, "status %d %s\n", s, plugin->message(device));
  std::exit(1);
}

struct Buffer {
  void* at;
  explicit Buffer(std::size_t bytes) { check(cudaMalloc(&at, bytes + 512)); }
  template <class T>
  explicit Buffer(const std::vector<T>& v) : Buffer(v.size() * sizeof(T)) {
    check(cudaMemcpy(at, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Buffer() { cudaFree(at); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

// Gives the median time of a call in seconds. Calls wait, or are waited for.
template <class F>
double median(F call) {
  for (int i = 0; i < 2; i++) call();
  check(plugin->wait(device));
  std::vector<double> times(11);
  for (double& t : times) {
    timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    call();
    check(plugin->wait(device));
    clock_gettime(CLOCK_MONOTONIC, &to);
    t = static_cast<double>(to.tv_sec - from.tv_sec) + 1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double copy_rate;  // bytes a second

void report(const std::string& what, unsigned bits, std::size_t intervals, double bytes, double seconds) {
  std::printf("%s\t%u\t%zu\t%.0f\t%.3f\n", what.c_str(), bits, intervals, bytes / seconds / 1e9, bytes / seconds / copy_rate);
  std::fflush(stdout);
}

template <class T>
__global__ void check_ends(const int* ends, std::size_t n, const T* values, const T* out, unsigned* wrong) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
    const int start = i == 0 ? 0 : ends[i - 1], end = ends[i];
    if (start < end && (out[start] != values[i] || out[end - 1] != values[i] || out[start + (end - start) / 2] != values[i]))
      *wrong = 1;
  }
}

template <class T>
void repeats(const char* name, const std::vector<int>& counts) {
  const std::size_t n = counts.size();
  std::size_t total = 0;
  int most = 0;
  for (int c : counts) {
    total += static_cast<std::size_t>(c);
    most = std::max(most, c);
  }
  std::vector<std::int8_t> narrow(most < 128 ? n : 0);
  for (std::size_t i = 0; i < narrow.size(); i++) narrow[i] = static_cast<std::int8_t>(counts[i]);
  std::vector<T> numbers(n);
  for (std::size_t i = 0; i < n; i++) numbers[i] = static_cast<T>(i * 2654435761u);
  const Buffer small(narrow), large(counts), values(numbers), ends(n * 4), out(total * sizeof(T)), wrong(4);
  const Buffer group_ends((n / griddle_count_group + 1) * sizeof(double));
  const griddle_intervals in{n, total, griddle_device_i32, griddle_device_i32, ends.at, nullptr, nullptr};
  // Ends of all intervals are made for the check in any case.
  const auto add = [&](griddle_device_type type, const void* counts_there) {
    check(plugin->scan(device, griddle_fold_add, type, griddle_device_i32, counts_there, ends.at, 1, n));
  };
  const auto by_ends = [&] { check(plugin->expand(device, &in, sizeof(T), values.at, out.at)); };
  const auto* const bytes_there = static_cast<const std::int8_t*>(small.at);
  const auto sums = static_cast<double*>(group_ends.at);
  const auto sum_bytes = [&] { check(plugin->sum_counts(device, bytes_there, n, sums)); };
  const auto by_bytes = [&] { check(plugin->expand_counts(device, bytes_there, n, sums, sizeof(T), values.at, out.at)); };
  add(griddle_device_i32, large.at);
  const double seconds =
      narrow.empty() ? median([&] { add(griddle_device_i32, large.at), by_ends(); }) : median([&] { sum_bytes(), by_bytes(); });
  if (std::getenv("PARTS")) {
    std::printf("parts\t%s\t%zu\tscan %.1f us, expand %.1f us", name, sizeof(T) * 8,
                median([&] { add(griddle_device_i32, large.at); }) * 1e6, median(by_ends) * 1e6);
    if (!narrow.empty()) std::printf("; by bytes: sums %.1f us, expand %.1f us", median(sum_bytes) * 1e6, median(by_bytes) * 1e6);
    std::printf("\n");
    if (!narrow.empty()) by_bytes();
  }
  check(cudaMemset(wrong.at, 0, 4));
  check_ends<<<1024, 256>>>(static_cast<const int*>(ends.at), n, static_cast<const T*>(values.at), static_cast<const T*>(out.at),
                            static_cast<unsigned*>(wrong.at));
  unsigned bad;
  check(cudaMemcpy(&bad, wrong.at, 4, cudaMemcpyDeviceToHost));
  const double bytes = static_cast<double>(n) * (sizeof(T) + (narrow.empty() ? 4 : 1)) + static_cast<double>(total) * sizeof(T);
  report(std::string("counts/values, ") + name + (bad ? " WRONG" : ""), sizeof(T) * 8, n, bytes, seconds);
}

// What the memory allows: a group of threads moves an interval with nothing to look for, several intervals at a time.
template <class T, int group>
__global__ void __launch_bounds__(256) move_known(const int* ends, std::size_t count, const int* from, const int* to,
                                                  const T* __restrict__ source, T* __restrict__ out) {
  constexpr int at_once = 8;
  const std::size_t groups = std::size_t{gridDim.x} * blockDim.x / group;
  const int lane = static_cast<int>(threadIdx.x) % group;
  for (std::size_t i = (blockIdx.x * std::size_t{blockDim.x} + threadIdx.x) / group; i < count; i += groups * at_once) {
    int start[at_once], length[at_once], longest = 0;
    for (int k = 0; k < at_once; k++) {
      const std::size_t j = i + k * groups;
      start[k] = j < count && j > 0 ? ends[j - 1] : 0;
      length[k] = j < count ? ends[j] - start[k] : 0;
      longest = max(longest, length[k]);
    }
    for (int at = lane; at < longest; at += group) {
      T of[at_once];
#pragma unroll
      for (int k = 0; k < at_once; k++)
        if (at < length[k]) of[k] = source[(from ? from[i + k * groups] : start[k]) + at];
#pragma unroll
      for (int k = 0; k < at_once; k++)
        if (at < length[k]) out[(to ? to[i + k * groups] : start[k]) + at] = of[k];
    }
  }
}

// Intervals of so many bytes, or ragged: give or take half, in shuffled places, or in order with gaps of up to a quarter of that.
void moves(unsigned bits, std::size_t bytes_each, bool ragged, std::size_t bytes_in_all, bool shuffled = true) {
  std::mt19937_64 g(1);
  const std::size_t mean = bytes_each * 8 / bits, all = bytes_in_all * 8 / bits;
  std::vector<int> ends, places, counts;
  std::size_t at = 0;
  for (std::size_t moved = 0; moved < all;) {
    std::size_t c = ragged ? mean / 2 + g() % (mean + 1) : mean;
    c = std::min(c, all - moved);
    if (!shuffled) at += g() % (mean / 4 + 1);
    places.push_back(static_cast<int>(at));
    at += c;
    moved += c;
    counts.push_back(static_cast<int>(c));
  }
  const std::size_t room = (at * bits + 7) / 8 + 8;
  // The same intervals in another order.
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); i++) order[i] = i;
  if (shuffled) std::shuffle(order.begin(), order.end(), g);
  std::vector<int> from(order.size()), to(order.size());
  std::size_t sum = 0;
  for (std::size_t i = 0; i < order.size(); i++) {
    from[i] = places[order[i]];
    sum += static_cast<std::size_t>(counts[order[i]]);
    ends.push_back(static_cast<int>(sum));
  }
  std::vector<std::size_t> again(order.size());
  for (std::size_t i = 0; i < again.size(); i++) again[i] = i;
  if (shuffled) std::shuffle(again.begin(), again.end(), g);
  std::size_t next = 0;
  for (std::size_t i : again) {
    to[i] = shuffled ? static_cast<int>(next) : places[i];
    next += static_cast<std::size_t>(counts[order[i]]);
  }
  const std::size_t n = ends.size();
  const Buffer end_there(ends), from_there(from), to_there(to), source(room), out(room);
  check(cudaMemset(source.at, 0x5A, room));
  const char* names[] = {"gather", "scatter", "move"};
  for (int k = 0; k < 3; k++) {
    const griddle_intervals in{n,
                               all,
                               griddle_device_i32,
                               griddle_device_i32,
                               end_there.at,
                               k == 1 ? nullptr : from_there.at,
                               k == 0 ? nullptr : to_there.at};
    const double seconds = median([&] { check(plugin->move_intervals(device, &in, bits, source.at, out.at)); });
    report(std::string(names[k]) + " of " + std::to_string(bytes_each) + (ragged ? " bytes, ragged" : " bytes") +
               (shuffled ? "" : ", in order"),
           bits, n, 2.0 * static_cast<double>(bytes_in_all) + static_cast<double>(n) * (k == 2 ? 12 : 8), seconds);
    if (bits != 32 || !std::getenv("PARTS")) continue;
    const double least = median([&] {
      const auto known = bytes_each < 64    ? move_known<std::uint32_t, 4>
                         : bytes_each < 128 ? move_known<std::uint32_t, 16>
                                            : move_known<std::uint32_t, 32>;
      known<<<132 * 8, 256>>>(static_cast<const int*>(end_there.at), n, static_cast<const int*>(in.from),
                              static_cast<const int*>(in.to), static_cast<const std::uint32_t*>(source.at),
                              static_cast<std::uint32_t*>(out.at));
      check(cudaStreamSynchronize(nullptr));
    });
    report("  the same, nothing to look for", bits, n,
           2.0 * static_cast<double>(bytes_in_all) + static_cast<double>(n) * (k == 2 ? 12 : 8), least);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  plugin = reinterpret_cast<griddle_plugin_function>(dlsym(library, GRIDDLE_PLUGIN_SYMBOL))();
  griddle_device_info info;
  check(plugin->open(&device, &info));
  std::printf("# %s\n", info.name);
  {
    constexpr std::size_t bytes = std::size_t{1} << 30;
    const Buffer from(bytes), to(bytes);
    const double seconds = median([&] {
      check(cudaMemcpyAsync(to.at, from.at, bytes, cudaMemcpyDeviceToDevice, nullptr));
      check(cudaStreamSynchronize(nullptr));
    });
    copy_rate = 2.0 * bytes / seconds;
    std::printf("copy\t\t\t%.0f\t1\n", copy_rate / 1e9);
  }
  std::mt19937 g(1);
  constexpr std::size_t outputs = std::size_t{1} << 28;
  const auto until = [&](auto next) {
    std::vector<int> counts;
    std::size_t sum = 0;
    while (sum < outputs) {
      const std::size_t c = std::min<std::size_t>(next(), outputs - sum);
      counts.push_back(static_cast<int>(c));
      sum += c;
    }
    return counts;
  };
  const std::vector<int> plain = until([&] { return g() % 20; });
  repeats<std::uint32_t>("0 to 19", plain);
  repeats<std::uint8_t>("0 to 19", plain);
  repeats<std::uint16_t>("0 to 19", plain);
  repeats<std::uint64_t>("0 to 19", plain);
  std::uniform_real_distribution<double> u(0, 1);
  repeats<std::uint32_t>("heavy-tailed", until([&] { return static_cast<std::size_t>(std::min(1e7, 2 / u(g))); }));
  repeats<std::uint32_t>("half of them 0", until([&] { return g() & 1 ? 0 : g() % 38; }));
  std::vector<int> giant = until([&] { return g() % 20; });
  giant.resize(giant.size() / 2);
  giant[giant.size() / 2] = static_cast<int>(outputs / 2);
  repeats<std::uint32_t>("one is half of all", giant);
  std::vector<int> hollow(100000000, 0);
  for (int i = 0; i < 1000; i++) hollow[g() % hollow.size()] = outputs / 1000;
  repeats<std::uint32_t>("a hundred million, nearly all 0", hollow);
  if (argc > 2) return 0;
  for (unsigned bits : {32u, 64u, 8u, 1u})
    for (bool ragged : {false, true})
      for (std::size_t bytes : {64, 256, 4096})
        moves(bits, bytes, ragged, bits == 1 ? std::size_t{1} << 27 : std::size_t{1} << 29, false);
  for (unsigned bits : {32u, 64u, 8u, 16u, 1u})
    for (bool ragged : {false, true})
      for (std::size_t bytes : {16, 64, 256, 4096})
        moves(bits, bytes, ragged, bits == 1 ? std::size_t{1} << 27 : std::size_t{1} << 29);
}
