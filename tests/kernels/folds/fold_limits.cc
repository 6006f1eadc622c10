// Measures folds and scans of 1e5 elements, which a second-level cache holds, against what binds them: the rate at which memory
// of that size is read, or the instructions that a vector takes. Checks each answer. Prints one line a kernel: what, nanoseconds,
// GB/s of all bytes moved, what binds, share of that limit reached.
//
// Instructions are those of the AVX2 kernels; of those on vectors at best four a cycle are done. Other targets need fewer.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "primitives/kernels/booleans/bool_fold.h"
#include "primitives/kernels/booleans/bool_scan.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/scan.h"

namespace {

using namespace griddle::kernels;

constexpr std::size_t n = 100000, words = (n + 63) / 64;

// Gives the seconds that one call takes: the least of several measurements.
template <class F>
double seconds(F f) {
  double best = 1e9;
  for (int round = 0; round < 40; round++) {
    constexpr int calls = 100;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; i++) f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls);
  }
  return best;
}

template <class T>
std::unique_ptr<T[], decltype(&std::free)> aligned(std::size_t count) {
  return {static_cast<T*>(std::aligned_alloc(64, (count * sizeof(T) + 127) / 64 * 64)), std::free};
}

// A chain of additions, each of which takes a cycle.
double cycles_per_second() {
  constexpr int additions = 100000;
  std::uint64_t x = 1;
  return additions / seconds([&x] {
           for (int i = 0; i < additions; i++) asm volatile("" : "+r"(x = x + 1));
         });
}

// Reads as fast as the greatest of integers allows: a load and one instruction a vector.
double bytes_read_per_second(const std::int32_t* x) {
  volatile double sink = 0;
  return 4 * n / seconds([&] { sink = reduce().fold_maximum[lane_i32](x, n); });
}

void check(bool right, const char* what) {
  if (right) return;
  std::printf("%s: wrong answer\n", what);
  std::exit(1);
}

void print(const char* what, double taken, double bytes, const char* limit, double least) {
  std::printf("%-24s\t%.0f\t%.1f\t%s\t%.2f\n", what, taken * 1e9, bytes / taken * 1e-9, limit, least / taken);
}

}  // namespace

int main() {
  const auto x = aligned<std::int32_t>(n), sums = aligned<std::int32_t>(n);
  const auto narrow = aligned<std::int16_t>(n);
  const auto bits = aligned<std::uint64_t>(words), parities = aligned<std::uint64_t>(words);
  std::uint64_t state = 88172645463325252u;
  const auto random = [&state] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  std::int64_t total = 0;
  std::int32_t least = 0;
  std::size_t ones = 0;
  for (std::size_t i = 0; i < n; i++) {
    x[i] = static_cast<std::int32_t>(random() >> 32);
    narrow[i] = static_cast<std::int16_t>(random() >> 48);
    total += x[i];
    least = std::min(least, x[i]);
  }
  for (std::size_t i = 0; i < words; i++) ones += static_cast<std::size_t>(std::popcount(bits[i] = random()));
  ones -= static_cast<std::size_t>(std::popcount(bits[words - 1] >> n % 64));

  const double cycle = 1 / cycles_per_second(), byte = 1 / bytes_read_per_second(x.get());
  double found = 0;
  const auto time_fold = [&](const char* what, Fold fold, const void* from, double expected) {
    const double taken = seconds([&] { *static_cast<volatile double*>(&found) = fold(from, n); });
    check(found == expected, what);
    return taken;
  };
  print("sum i32", time_fold("sum", reduce().fold_sum[lane_i32], x.get(), static_cast<double>(total)), 4 * n, "reads",
        4 * n * byte);
  print("min i32", time_fold("min", reduce().fold_minimum[lane_i32], x.get(), least), 4 * n, "reads", 4 * n * byte);
  // Eight vectors take eight loads, seven carry-save additions of five instructions and eight to count the last; sixteen words
  // beside them two instructions each. Six a cycle are begun.
  print("count bits", time_fold("count", bool_fold().sum, bits.get(), static_cast<double>(ones)), words * 8.0,
        "83 instructions a 48 words", static_cast<double>(words) / 48 * 83 / 6 * cycle);
  // Six shifts and exclusive ors, the carry by a table: 16 instructions a vector of four words.
  double taken = seconds([&] { bool_scan().exclusive_or(parities.get(), bits.get(), n); });
  check((parities[(n - 1) / 64] >> (n - 1) % 64 & 1) == ones % 2, "running exclusive or");
  print("running exclusive or", taken, words * 16.0, "16 instructions a 4 words", static_cast<double>(words) / 4 * 4 * cycle);
  // Sixteen elements take 20 instructions, and one to sum half of them beforehand.
  bool fits = false;
  taken = seconds([&] { *static_cast<volatile bool*>(&fits) = scan().all_sums[lane_i16](sums.get(), narrow.get(), n); });
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; i++) fits &= sums[i] == (sum += narrow[i]);
  check(fits, "running sums");
  print("running sums i16", taken, 6.0 * n, "21 instructions a 16", n / 16.0 * 21 / 4 * cycle);
  return 0;
}
