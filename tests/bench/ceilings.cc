// Measures what this machine's memory can do: GB/s of reading, writing, copying and adding, all bytes moved, by footprint, with
// stores past the caches where those are faster; and of writing to memory never touched before. Prints one line a figure: what,
// bytes of footprint, GB/s. The footprints may be given.
//
// Then, with footprint 0, what its processor can do in a nanosecond: steps of a chain that take a cycle each, additions of
// doubles one onto the other, divisions and square roots of doubles.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <sys/mman.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace {

#if defined(__x86_64__)
#define FOR_THIS_PROCESSOR __attribute__((target_clones("default", "avx2", "avx512f"), noinline))
#else
#define FOR_THIS_PROCESSOR __attribute__((noinline))
#endif

FOR_THIS_PROCESSOR std::uint64_t read_all(const std::uint64_t* x, std::size_t n) {
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  for (std::size_t i = 0; i + 64 <= n; i += 64)
    for (std::size_t k = 0; k < 16; k++) a |= x[i + k], b |= x[i + k + 16], c |= x[i + k + 32], d |= x[i + k + 48];
  return a | b | c | d;
}
FOR_THIS_PROCESSOR void write_all(std::uint64_t* x, std::size_t n, std::uint64_t value) {
  for (std::size_t i = 0; i < n; i++) x[i] = value;
}
FOR_THIS_PROCESSOR void copy_all(std::uint64_t* to, const std::uint64_t* from, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = from[i] + 1;
}
FOR_THIS_PROCESSOR void add_all(std::uint64_t* to, const std::uint64_t* x, const std::uint64_t* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = x[i] + y[i];
}

// The same with stores past the caches; `to` is aligned to 16 bytes.
#if defined(__SSE2__)
void store_past(std::uint64_t* to, __m128i v) { _mm_stream_si128(reinterpret_cast<__m128i*>(to), v); }
__m128i load_two(const std::uint64_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void copy_past(std::uint64_t* to, const std::uint64_t* from, std::size_t n) {
  for (std::size_t i = 0; i + 2 <= n; i += 2) store_past(to + i, _mm_add_epi64(load_two(from + i), _mm_set1_epi64x(1)));
  _mm_sfence();
}
void add_past(std::uint64_t* to, const std::uint64_t* x, const std::uint64_t* y, std::size_t n) {
  for (std::size_t i = 0; i + 2 <= n; i += 2) store_past(to + i, _mm_add_epi64(load_two(x + i), load_two(y + i)));
  _mm_sfence();
}
#else
void copy_past(std::uint64_t* to, const std::uint64_t* from, std::size_t n) { copy_all(to, from, n); }
void add_past(std::uint64_t* to, const std::uint64_t* x, const std::uint64_t* y, std::size_t n) { add_all(to, x, y, n); }
#endif
FOR_THIS_PROCESSOR void divide_all(double* to, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = 1.5 / x[i];
}
FOR_THIS_PROCESSOR void root_all(double* to, const double* x, std::size_t n) {
  for (std::size_t i = 0; i < n; i++) to[i] = std::sqrt(x[i]);
}
double add_in_order(const double* x, std::size_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < n; i++) sum += x[i];
  return sum;
}

// Gives the seconds that one call takes: the least of several measurements.
template <class F>
double seconds(F f) {
  double best = 1e9;
  long calls = 1;
  for (int round = 0; round < 12;) {
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < calls; i++) f();
    const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (taken < 0.002) {
      calls *= 4;
      continue;
    }
    best = std::min(best, taken / static_cast<double>(calls));
    round++;
  }
  return best;
}

void print(const char* what, std::size_t footprint, std::size_t moved, double taken) {
  std::printf("%s\t%zu\t%.1f\n", what, footprint, static_cast<double>(moved) / taken * 1e-9);
  std::fflush(stdout);
}

void print_rates() {
  constexpr int n = 2048;
  std::vector<double> x(n, 1.25), to(n);
  const auto rate = [](const char* what, int done, double taken) { std::printf("%s\t0\t%.3f\n", what, done / taken * 1e-9); };
  std::uint64_t steps = 1;
  rate("cycle", n, seconds([&] {
         for (int i = 0; i < n; i++) asm volatile("" : "+r"(steps = steps + 1));
       }));
  volatile double sink = 0;
  rate("ordered", n, seconds([&] { sink = add_in_order(x.data(), n); }));
  rate("division", n, seconds([&] { divide_all(to.data(), x.data(), n); }));
  rate("root", n, seconds([&] { root_all(to.data(), x.data(), n); }));
  sink = to[0];
}

}  // namespace

int main(int count, char** arguments) {
  constexpr std::size_t largest = std::size_t{256} << 20;
  auto* memory = static_cast<std::uint64_t*>(std::aligned_alloc(std::size_t{2} << 20, largest));
  if (memory == nullptr) return 1;
  madvise(memory, largest, MADV_HUGEPAGE);
  std::memset(memory, 1, largest);
  volatile std::uint64_t sink = 0;
  std::vector<std::size_t> footprints;
  for (int i = 1; i < count; i++) footprints.push_back(std::min(largest, std::size_t{std::strtoul(arguments[i], nullptr, 10)}));
  if (footprints.empty())
    footprints = {std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{2} << 20, std::size_t{16} << 20, largest};
  for (std::size_t bytes : footprints) {
    const std::size_t n = bytes / 8, half = n / 2, third = n / 3;
    print("read", bytes, bytes, seconds([&] { sink = sink + read_all(memory, n); }));
    print("write", bytes, bytes, seconds([&] { write_all(memory, n, sink); }));
    std::uint64_t* const copied = memory + (half + 7) / 8 * 8;
    std::uint64_t* const sums = memory + (2 * third + 7) / 8 * 8;
    print("copy", bytes, 2 * half * 8,
          std::min(seconds([&] { copy_all(copied, memory, half - 8); }), seconds([&] { copy_past(copied, memory, half - 8); })));
    print("add", bytes, 3 * third * 8, std::min(seconds([&] { add_all(sums, memory + third, memory, third - 8); }), seconds([&] {
                                                  add_past(sums, memory + third, memory, third - 8);
                                                })));
  }
  print_rates();
  if (count == 1) {
    constexpr std::size_t fresh_bytes = std::size_t{64} << 20;
    print("fresh", fresh_bytes, fresh_bytes, seconds([&] {
            void* fresh = mmap(nullptr, fresh_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (fresh == MAP_FAILED) return;
            madvise(fresh, fresh_bytes, MADV_HUGEPAGE);
            write_all(static_cast<std::uint64_t*>(fresh), fresh_bytes / 8, 1);
            munmap(fresh, fresh_bytes);
          }));
  }
  std::free(memory);
  return 0;
}
