// Measures what this machine's memory can do: GB/s of reading, writing, copying and adding, all bytes moved, by footprint; and of
// writing to memory never touched before. Prints one line a figure: what, bytes of footprint, GB/s.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <sys/mman.h>

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

}  // namespace

int main() {
  constexpr std::size_t largest = std::size_t{256} << 20;
  auto* memory = static_cast<std::uint64_t*>(std::aligned_alloc(std::size_t{2} << 20, largest));
  if (memory == nullptr) return 1;
  madvise(memory, largest, MADV_HUGEPAGE);
  std::memset(memory, 1, largest);
  volatile std::uint64_t sink = 0;
  for (std::size_t bytes :
       {std::size_t{16} << 10, std::size_t{256} << 10, std::size_t{2} << 20, std::size_t{16} << 20, largest}) {
    const std::size_t n = bytes / 8, half = n / 2, third = n / 3;
    print("read", bytes, bytes, seconds([&] { sink = sink + read_all(memory, n); }));
    print("write", bytes, bytes, seconds([&] { write_all(memory, n, sink); }));
    print("copy", bytes, 2 * half * 8, seconds([&] { copy_all(memory + half, memory, half); }));
    print("add", bytes, 3 * third * 8, seconds([&] { add_all(memory + 2 * third, memory + third, memory, third); }));
  }
  constexpr std::size_t fresh_bytes = std::size_t{64} << 20;
  print("fresh", fresh_bytes, fresh_bytes, seconds([&] {
          void* fresh = mmap(nullptr, fresh_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          if (fresh == MAP_FAILED) return;
          madvise(fresh, fresh_bytes, MADV_HUGEPAGE);
          write_all(static_cast<std::uint64_t*>(fresh), fresh_bytes / 8, 1);
          munmap(fresh, fresh_bytes);
        }));
  std::free(memory);
  return 0;
}
