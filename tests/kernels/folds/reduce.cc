#include "primitives/kernels/folds/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "primitives/kernels/folds/ordered_sum.h"
#include "primitives/kernels/folds/scan.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check_extremes(int lane, bool in_words) {
  Random random;
  for_lengths([&](std::size_t n) {
    if (n == 0) return;
    const Elements<T> x(random, n, in_words ? 0 : n % 3, n % 2 == 0);
    double least = x.start[0], greatest = x.start[0];
    std::vector<T> leasts, greatests;
    for (std::size_t i = 0; i < n; i++) {
      leasts.push_back(static_cast<T>(least = reference::minimum(least, x.start[i])));
      greatests.push_back(static_cast<T>(greatest = reference::maximum(greatest, x.start[i])));
    }
    least = greatest = x.start[n - 1];
    for (std::size_t i = n; i-- > 0;) {
      least = reference::minimum(x.start[i], least);
      greatest = reference::maximum(x.start[i], greatest);
    }
    T found;
    reduce().minimum[lane](&found, x.start, n);
    CHECK(same(found, static_cast<T>(least)));
    reduce().maximum[lane](&found, x.start, n);
    CHECK(same(found, static_cast<T>(greatest)));
    Guarded<T> low(n, 1), high(n, 1);
    extreme_scan().minimum[lane](low.start(), x.start, n);
    extreme_scan().maximum[lane](high.start(), x.start, n);
    bool right = true;
    for (std::size_t i = 0; i < n; i++) right &= same(low.start()[i], leasts[i]) && same(high.start()[i], greatests[i]);
    CHECK(right);
    CHECK(low.kept_outside(n));
    CHECK(high.kept_outside(n));
    if constexpr (std::is_integral_v<T>) {
      REQUIRE(extreme_scan().maximum[lane](x.start, x.start, n));
      CHECK(std::equal(greatests.begin(), greatests.end(), x.start));
    }
  });
}

// Scans lists in which nothing, or everything, is better than what comes before, and one that comes to what nothing is better
// than.
template <class T>
void check_courses_of_extremes(int lane) {
  for (std::size_t n : {300u, 9000u, 33001u}) {
    std::vector<T> up(n), out(n), end(n, std::numeric_limits<T>::max());
    for (std::size_t i = 0; i < n; i++) up[i] = static_cast<T>(static_cast<double>(i) * 126 / static_cast<double>(n));
    REQUIRE(extreme_scan().maximum[lane](out.data(), up.data(), n));
    CHECK(out == up);
    REQUIRE(extreme_scan().minimum[lane](out.data(), up.data(), n));
    CHECK(out == std::vector<T>(n, T{0}));
    for (const std::size_t place : {n / 4, n - 3}) {
      std::vector<T> x = up;
      x[place] = std::numeric_limits<T>::max();
      REQUIRE(extreme_scan().maximum[lane](out.data(), x.data(), n));
      const auto from = static_cast<std::ptrdiff_t>(place);
      CHECK(std::equal(up.begin(), up.begin() + from, out.begin()));
      CHECK(std::equal(out.begin() + from, out.end(), end.begin()));
    }
  }
}

template <class T>
void check_sums(int lane, bool in_words) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool small : {true, false}) {
      const Elements<T> x(random, n, in_words ? 0 : n % 3, small);
      std::int64_t sum = 0;
      std::vector<std::int64_t> sums;
      std::size_t first_misfit = n;
      for (std::size_t i = 0; i < n; i++) {
        sums.push_back(sum += x.start[i]);
        if (sum != static_cast<std::int32_t>(sum) && first_misfit == n) first_misfit = i;
      }
      CHECK(reduce().sum[lane](x.start, n) == sum);
      Guarded<std::int32_t> out(n, 1);
      std::int32_t carry = 0;
      const std::size_t done = scan().sum[lane](out.start(), x.start, n, carry);
      bool right = done <= first_misfit && (first_misfit != n || done == n || sizeof(T) == 4);
      for (std::size_t i = 0; i < done; i++) right &= out.start()[i] == sums[i];
      CHECK(right);
      CHECK(carry == (done == 0 ? 0 : sums[done - 1]));
      CHECK(out.kept_outside(done));
      if constexpr (sizeof(T) == 1) {
        Guarded<std::int16_t> narrow(n, 1);
        std::int16_t narrow_carry = 0;
        const std::size_t summed = scan().sum_bytes(narrow.start(), x.start, n, narrow_carry);
        right = summed == n || std::abs(sums[summed - 1]) >= 32767 - 128 * 128;
        for (std::size_t i = 0; i < summed; i++) right &= narrow.start()[i] == sums[i];
        CHECK(right);
        CHECK(narrow_carry == (summed == 0 ? 0 : sums[summed - 1]));
        CHECK(narrow.kept_outside(summed));
      }
    }
  });
}

// Scans so many elements that results are written past the caches, to memory that is aligned as arrays are.
template <class T>
void check_long_scans(int lane) {
  Random random;
  const std::size_t n = (std::size_t{16} << 20) / sizeof(T) + 777;
  const Elements<T> x(random, n, 0, true);
  x.start[n / 2] = 100;
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(64, (n * sizeof(T) + 127) / 64 * 64), std::free);
  T* const out = static_cast<T*>(memory.get());
  out[n] = 77;
  REQUIRE(extreme_scan().maximum[lane](out, x.start, n));
  bool right = out[n] == 77;
  T greatest = x.start[0];
  for (std::size_t i = 0; i < n; i++) right &= out[i] == (greatest = std::max(greatest, x.start[i]));
  CHECK(right);
  if constexpr (std::is_same_v<T, std::int32_t>) {
    REQUIRE(scan().all_sums[lane](out, x.start, n));
    right = out[n] == 77;
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < n; i++) right &= out[i] == (sum += x.start[i]);
    CHECK(right);
  }
}

}  // namespace

TEST_CASE("sums of many of the least and the greatest elements") {
  on_every_target([] {
    const auto check = [](auto type, int lane) {
      using T = typename decltype(type)::type;
      for (std::size_t n : {7000u, 7680u, 7681u, 7935u, 15360u, 15401u, 40000u, 140001u})
        for (const T v : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}) {
          const std::vector<T> x(n, v);
          CHECK(reduce().sum[lane](x.data(), n) == static_cast<std::int64_t>(n) * v);
        }
    };
    check(std::type_identity<std::int8_t>(), lane_i8);
    check(std::type_identity<std::int16_t>(), lane_i16);
    check(std::type_identity<std::int32_t>(), lane_i32);
  });
}

TEST_CASE("sums and running sums of integers are exact, and stop before an overflow") {
  on_every_target([] {
    for (bool in_words : {false, true}) check_sums<std::int8_t>(lane_i8, in_words);
    for (bool in_words : {false, true}) check_sums<std::int16_t>(lane_i16, in_words);
    for (bool in_words : {false, true}) check_sums<std::int32_t>(lane_i32, in_words);
  });
}

TEST_CASE("extremes and running extremes") {
  on_every_target([] {
    for (bool in_words : {false, true}) check_extremes<std::int8_t>(lane_i8, in_words);
    for (bool in_words : {false, true}) check_extremes<std::int16_t>(lane_i16, in_words);
    for (bool in_words : {false, true}) check_extremes<std::int32_t>(lane_i32, in_words);
    for (bool in_words : {false, true}) check_extremes<double>(lane_f64, in_words);
  });
}

TEST_CASE("extremes of doubles whose products are no numbers, and of one NaN anywhere") {
  on_every_target([] {
    for (std::size_t n : {1, 7, 8, 32, 33, 64, 100, 257}) {
      for (const double large : {1e300, static_cast<double>(INFINITY)}) {
        std::vector<double> x(n, 1);
        for (std::size_t i = 0; i < n; i += 3) x[i] = i % 2 == 0 ? large : -large;
        const double least = *std::min_element(x.begin(), x.end()), greatest = *std::max_element(x.begin(), x.end());
        CHECK(reduce().fold_minimum[lane_f64](x.data(), n) == least);
        CHECK(reduce().fold_maximum[lane_f64](x.data(), n) == greatest);
      }
      for (std::size_t place = 0; place < n; place++) {
        std::vector<double> x(n, 2), running(n);
        x[place] = NAN;
        // A fold from the right leaves aside what is no greater or less than what it has: a NaN, but for the last.
        const double least = reduce().fold_minimum[lane_f64](x.data(), n),
                     greatest = reduce().fold_maximum[lane_f64](x.data(), n);
        CHECK((place == n - 1 ? std::isnan(least) && std::isnan(greatest) : least == 2 && greatest == 2));
        // A scan begins again behind it.
        for (std::size_t i = 0; i < n; i++) x[i] += static_cast<double>(i < place ? n - i : i);
        REQUIRE(extreme_scan().maximum[lane_f64](running.data(), x.data(), n));
        bool right = true;
        for (std::size_t i = 0; i < n; i++)
          right &= i == place ? std::isnan(running[i]) : running[i] == (i < place ? x[0] : x[i]);
        CHECK(right);
        REQUIRE(extreme_scan().minimum[lane_f64](running.data(), x.data(), n));
        for (std::size_t i = 0; i < n; i++)
          right &= i == place ? std::isnan(running[i]) : running[i] == (i < place ? x[i] : x[place + 1]);
        CHECK(right);
      }
    }
  });
}

TEST_CASE("running extremes of lists that never, always or no longer get better") {
  on_every_target([] {
    check_courses_of_extremes<std::int8_t>(lane_i8);
    check_courses_of_extremes<std::int16_t>(lane_i16);
    check_courses_of_extremes<std::int32_t>(lane_i32);
    check_courses_of_extremes<double>(lane_f64);
  });
}

TEST_CASE("long lists are scanned past the caches") {
  on_every_target([] {
    check_long_scans<std::int8_t>(lane_i8);
    check_long_scans<std::int16_t>(lane_i16);
    check_long_scans<std::int32_t>(lane_i32);
    check_long_scans<double>(lane_f64);
  });
}

TEST_CASE("sums of doubles are rounded after each addition") {
  on_every_target([] {
    Random random;
    // Kinds: of one sign, of both, with ties, of many sizes, with what is no number; the last ones begin far from 0.
    for (int kind = 0; kind < 12; kind++)
      for (std::size_t n : {0, 1, 31, 32, 33, 64, 100, 159, 160, 161, 320, 1000, 5000, 20000}) {
        std::vector<double> x(n + 1);
        for (double& v : x) {
          const double unit = random.next() / 16777216.0 + random.next() / 281474976710656.0;
          v = kind == 0 ? unit : kind == 1 ? unit - 0.5 : kind == 2 ? static_cast<double>(random.next() % 3) / 2 : unit - 0.49;
          if (kind == 3) v *= std::ldexp(1, static_cast<int>(random.next() % 40) - 20);
          if (kind == 4) v = (random.next() % 4) * 0x1p-52 + (&v == &x[0] || &v == &x[n] ? 1 : 0);
          if (kind == 5 && random.next() % 300 == 0) v = random.next() % 2 ? NAN : INFINITY;
          if (kind == 6) v *= 0x1p-1060;
          if (kind == 7 && random.next() % 50 == 0) v *= 0x1p1010;
          if (kind >= 8) v = std::ldexp(random.next() * 0x1p24 + random.next() - 0x1p47, kind - 57);
          if (kind == 11 && random.next() % 4000 == 0) v = random.next() % 2 ? NAN : -INFINITY;
        }
        const double starts[] = {1000, -0.125, 1000, -0.125, 0, -0.125, 1000, -0.125, 4200.5, -70, 1040 + 0x1p-40, -1500};
        const double start = starts[kind];
        const double* from = x.data() + 1;
        double right = start, left = start;
        for (std::size_t i = n; i-- > 0;) right = from[i] + right;
        INFO("kind ", kind, ", ", n, " elements");
        CHECK(same(ordered_sum().from_right(from, n, start), right));
        CHECK(same(ordered_sum().from_right_fetching(from, n, start, from - n), right));
        Guarded<double> out(n, 1);
        const double last = ordered_sum().running(out.start(), from, n, start);
        bool as_wanted = true;
        for (std::size_t i = 0; i < n; i++) as_wanted &= same(out.start()[i], left = left + from[i]);
        CHECK(as_wanted);
        CHECK(same(last, left));
        CHECK(out.kept_outside(n));
        if (kind == 2) {
          Guarded<double> exact(n, 1);
          CHECK(ordered_sum().running_exact(exact.start(), from, n, start) == left);
          for (std::size_t i = 0; i < n; i++) as_wanted &= exact.start()[i] == out.start()[i];
          CHECK(as_wanted);
          CHECK(exact.kept_outside(n));
        }
        std::vector<double> in_place(from, from + n);
        ordered_sum().running(in_place.data(), in_place.data(), n, start);
        as_wanted = true;
        for (std::size_t i = 0; i < n; i++) as_wanted &= same(in_place[i], out.start()[i]);
        CHECK(as_wanted);
      }
  });
}
