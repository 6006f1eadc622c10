#include "primitives/kernels/folds/window_fold.h"

#include <algorithm>
#include <cmath>

#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Calls f(n, size) for sizes round powers of two and round whole numbers of vectors, and as long as the list.
template <class F>
void for_windows(F f) {
  for (const std::size_t n : {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 65, 100, 129, 257, 700, 3000}) {
    for (const std::size_t size :
         {1, 2, 3, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 300, 513})
      if (size < n) f(n, size);
    f(n, n);
  }
}

// Folds from the right.
template <class T, class F>
T folded(const T* x, std::size_t size, F f) {
  T so_far = x[size - 1];
  for (std::size_t k = size - 1; k-- > 0;) so_far = static_cast<T>(f(x[k], so_far));
  return so_far;
}

template <class T>
void check(Guarded<T>& out, std::size_t n, std::size_t size, const T* x, double (*f)(double, double)) {
  INFO(n, " elements, windows of ", size);
  bool right = true;
  for (std::size_t i = 0; i + size <= n; i++) right &= same(out.start()[i], folded(x + i, size, f));
  CHECK(right);
  CHECK(out.kept_outside(n - size + 1));
}

template <class T>
void check_windows(int lane) {
  Random random;
  for_windows([&](std::size_t n, std::size_t size) {
    Elements<T> x(random, n, n % 3, false);
    if constexpr (std::is_floating_point_v<T>) {
      CHECK(window_fold().has_nan(x.start, n) == std::any_of(x.start, x.start + n, [](T t) { return t != t; }));
      std::replace_if(
          x.start, x.start + n, [](T t) { return t != t; }, T{7});
      CHECK(!window_fold().has_nan(x.start, n));
    }
    std::vector<T> memory(WindowFoldKernels::room(size));
    Guarded<T> low(n, 1), high(n, 2), sum(n, 1);
    window_fold().minimum[lane](low.start(), x.start, n, size, memory.data());
    window_fold().maximum[lane](high.start(), x.start, n, size, memory.data());
    check(low, n, size, x.start, reference::minimum);
    check(high, n, size, x.start, reference::maximum);
    // Integers whose sums up to each place are between -60 and 60: all sums of windows fit.
    for (int i = 0, before = 0, here; i < static_cast<int>(n); i++, before = here) {
      here = static_cast<int>(random.next() % 121) - 60;
      x.start[i] = static_cast<T>(here - before);
    }
    window_fold().sum[lane](sum.start(), x.start, n, size);
    check(sum, n, size, x.start, reference::add);
  });
}

void check_sums_in_order() {
  Random random;
  for_windows([&](std::size_t n, std::size_t size) {
    const Elements<double> x(random, n, n % 3, false);
    for (std::size_t i = 0; i < n; i++) x.start[i] /= 3;
    Guarded<double> sum(n, 1);
    window_fold().sum_in_order(sum.start(), x.start, n, size);
    check(sum, n, size, x.start, reference::add);
  });
}

void check_bits() {
  Random random;
  for_windows([&](std::size_t n, std::size_t size) {
    for (const bool most : {false, true}) {
      std::vector<std::uint64_t> x((n + 63) / 64);
      for (std::size_t i = 0; i < 64 * x.size(); i++)
        x[i / 64] |= std::uint64_t{(random.next() % (size + 1) == 0) != most} << i % 64;
      Guarded<std::uint64_t> all(x.size(), 1), any(x.size(), 1);
      window_fold().all_bits(all.start(), x.data(), n, size);
      window_fold().any_bits(any.start(), x.data(), n, size);
      bool right = true;
      std::size_t ones = 0;
      for (std::size_t i = 0; i < n; i++) {
        ones += bit_of(x.data(), i);
        if (i >= size) ones -= bit_of(x.data(), i - size);
        if (i + 1 < size) continue;
        right &= bit_of(all.start(), i + 1 - size) == (ones == size) && bit_of(any.start(), i + 1 - size) == (ones != 0);
      }
      INFO(n, " bits, windows of ", size);
      CHECK(right);
      CHECK(all.kept_outside(x.size()));
      CHECK(any.kept_outside(x.size()));
    }
  });
}

}  // namespace

TEST_CASE("windows are folded as each one alone") {
  on_every_target([] {
    check_windows<std::int8_t>(lane_i8);
    check_windows<std::int16_t>(lane_i16);
    check_windows<std::int32_t>(lane_i32);
    check_windows<double>(lane_f64);
    check_sums_in_order();
    check_bits();
  });
}

TEST_CASE("of equal extremes of windows the last one counts, as its sign shows") {
  on_every_target([] {
    std::vector<double> x(300), out(300), memory(WindowFoldKernels::room(64));
    for (std::size_t i = 0; i < x.size(); i++) x[i] = i % 3 == 0 ? -0.0 : 0.0;
    for (const std::size_t size : {3, 12, 40, 64}) {
      window_fold().maximum[lane_f64](out.data(), x.data(), x.size(), size, memory.data());
      bool right = true;
      for (std::size_t i = 0; i + size <= x.size(); i++) right &= std::signbit(out[i]) == std::signbit(x[i + size - 1]);
      CHECK(right);
    }
  });
}
