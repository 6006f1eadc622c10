#include "primitives/kernels/reduce.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "primitives/kernels/bit_columns.h"
#include "primitives/kernels/bool_fold.h"
#include "primitives/kernels/bool_rows.h"
#include "primitives/kernels/bool_scan.h"
#include "primitives/kernels/matrix.h"
#include "primitives/kernels/ordered_sum.h"
#include "primitives/kernels/row_fold.h"
#include "primitives/kernels/row_scan.h"
#include "primitives/kernels/scan.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

bool bit_of(const std::uint64_t* bits, std::size_t i) { return bits[i / 64] >> (i % 64) & 1; }

template <class T>
void check_extremes(int lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    if (n == 0) return;
    const Elements<T> x(random, n, n % 3, n % 2 == 0);
    double least = x.start[0], greatest = x.start[0];
    std::vector<T> leasts, greatests;
    for (std::size_t i = 0; i < n; i++) {
      leasts.push_back(static_cast<T>(least = reference::minimum(least, x.start[i])));
      greatests.push_back(static_cast<T>(greatest = reference::maximum(greatest, x.start[i])));
    }
    T found;
    reduce().minimum[lane](&found, x.start, n);
    CHECK(same(found, leasts.back()));
    reduce().maximum[lane](&found, x.start, n);
    CHECK(same(found, greatests.back()));
    Guarded<T> low(n, 1), high(n, 1);
    scan().minimum[lane](low.start(), x.start, n);
    scan().maximum[lane](high.start(), x.start, n);
    bool right = true;
    for (std::size_t i = 0; i < n; i++) right &= same(low.start()[i], leasts[i]) && same(high.start()[i], greatests[i]);
    CHECK(right);
    CHECK(low.kept_outside(n));
    CHECK(high.kept_outside(n));
  });
}

template <class T>
void check_sums(int lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (bool small : {true, false}) {
      const Elements<T> x(random, n, n % 3, small);
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

template <class T, class Sum, class Running = Sum>
void check_columns(int lane) {
  Random random;
  for (std::size_t rows : {1, 2, 3, 65, 200})
    for (std::size_t columns : {1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70}) {
      const Elements<T> x(random, rows * columns, 1, true);
      Guarded<Sum> sums(columns, 1);
      Guarded<Running> running(rows * columns, 1);
      Guarded<T> least(columns, 1), greatest(columns, 1), lows(rows * columns, 1), highs(rows * columns, 1);
      reduce_columns().sum[lane](sums.start(), x.start, rows, columns);
      reduce_columns().minimum[lane](least.start(), x.start, rows, columns);
      reduce_columns().maximum[lane](greatest.start(), x.start, rows, columns);
      CHECK(scan_columns().sum[lane](running.start(), x.start, rows, columns));
      scan_columns().minimum[lane](lows.start(), x.start, rows, columns);
      scan_columns().maximum[lane](highs.start(), x.start, rows, columns);
      bool right = true;
      for (std::size_t j = 0; j < columns; j++) {
        double sum = 0, low = x.start[j], high = x.start[j];
        for (std::size_t r = 0; r < rows; r++) {
          const T v = x.start[r * columns + j];
          sum += v;
          low = reference::minimum(low, v);
          high = reference::maximum(high, v);
          right &= running.start()[r * columns + j] == sum && lows.start()[r * columns + j] == low &&
                   highs.start()[r * columns + j] == high;
        }
        right &= sums.start()[j] == sum && least.start()[j] == low && greatest.start()[j] == high;
      }
      INFO(rows, " rows, ", columns, " columns");
      if constexpr (sizeof(T) == 1) {
        Guarded<std::int16_t> narrow(columns, 1);
        reduce_columns().sum_i16(narrow.start(), x.start, rows, columns);
        for (std::size_t j = 0; j < columns; j++) right &= narrow.start()[j] == sums.start()[j];
        CHECK(narrow.kept_outside(columns));
        Guarded<std::int16_t> narrow_running(rows * columns, 1);
        scan_columns().sum_bytes[lane_i16](narrow_running.start(), x.start, rows, columns);
        for (std::size_t i = 0; i < rows * columns; i++) right &= narrow_running.start()[i] == running.start()[i];
        CHECK(narrow_running.kept_outside(rows * columns));
        for (std::size_t i = 0; i < rows * columns; i++) x.start[i] = i / columns % 2 == 0 ? 1 : -1;
        Guarded<T> own(rows * columns, 1);
        scan_columns().sum_bytes[lane_i8](own.start(), x.start, rows, columns);
        for (std::size_t i = 0; i < rows * columns; i++) right &= own.start()[i] == (i / columns % 2 == 0);
        CHECK(own.kept_outside(rows * columns));
      }
      if constexpr (std::is_same_v<T, std::int32_t>) {
        Guarded<std::int32_t> checked(columns, 1);
        CHECK(reduce_columns().checked_sum(checked.start(), x.start, rows, columns));
        for (std::size_t j = 0; j < columns; j++) right &= checked.start()[j] == sums.start()[j];
        CHECK(checked.kept_outside(columns));
        x.start[columns - 1] = std::numeric_limits<T>::max();
        x.start[(rows - 1) * columns + columns - 1] = std::numeric_limits<T>::max();
        CHECK(reduce_columns().checked_sum(checked.start(), x.start, rows, columns) == (rows == 1));
      }
      CHECK(right);
      CHECK(sums.kept_outside(columns));
      CHECK(running.kept_outside(rows * columns));
      CHECK(least.kept_outside(columns));
      CHECK(highs.kept_outside(rows * columns));
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

TEST_CASE("running sums down columns say where they do not fit, and fit doubles") {
  on_every_target([] {
    for (std::size_t columns : {1u, 3u, 8u, 31u, 300u}) {
      const std::size_t rows = 5, n = rows * columns;
      std::vector<std::int32_t> x(n, 1);
      x[columns - 1] = std::numeric_limits<std::int32_t>::max();
      Guarded<std::int32_t> narrow(n, 1);
      CHECK_FALSE(scan_columns().sum[lane_i32](narrow.start(), x.data(), rows, columns));
      CHECK(narrow.kept_outside(n));
      Guarded<double> wide(n, 1);
      CHECK(scan_columns().sum_f64[lane_i32](wide.start(), x.data(), rows, columns));
      CHECK(wide.start()[n - 1] == 2147483651.0);
      CHECK(wide.start()[columns == 1 ? 0 : n - 2] == (columns == 1 ? 2147483647.0 : 5.0));
      CHECK(wide.kept_outside(n));
    }
  });
}

TEST_CASE("extremes and running extremes") {
  on_every_target([] {
    check_extremes<std::int8_t>(lane_i8);
    check_extremes<std::int16_t>(lane_i16);
    check_extremes<std::int32_t>(lane_i32);
    check_extremes<double>(lane_f64);
  });
}

namespace {

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
  REQUIRE(scan().maximum[lane](out, x.start, n));
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
        std::vector<double> x(n, 2);
        x[place] = NAN;
        CHECK(std::isnan(reduce().fold_minimum[lane_f64](x.data(), n)));
        CHECK(std::isnan(reduce().fold_maximum[lane_f64](x.data(), n)));
      }
    }
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

TEST_CASE("sums and running sums of integers are exact, and stop before an overflow") {
  on_every_target([] {
    check_sums<std::int8_t>(lane_i8);
    check_sums<std::int16_t>(lane_i16);
    check_sums<std::int32_t>(lane_i32);
  });
}

TEST_CASE("columns are folded and scanned") {
  on_every_target([] {
    check_columns<std::int8_t, std::int32_t>(lane_i8);
    check_columns<std::int16_t, std::int32_t>(lane_i16);
    check_columns<std::int32_t, double, std::int32_t>(lane_i32);
    check_columns<double, double>(lane_f64);
  });
}

namespace {

template <class T, class Sum>
void check_row_folds(int lane) {
  Random random;
  for (bool small : {true, false})
    for (std::size_t columns = 1; columns <= 35; columns++)
      for (std::size_t rows : {1, 2, 3, 7, 8, 9, 16, 31, 33, 70}) {
        const Elements<T> x(random, rows * columns, 1, small);
        Guarded<Sum> sums(rows, 1);
        Guarded<T> low(rows, 1), high(rows, 1);
        row_fold().sum[lane](sums.start(), x.start, columns, rows);
        Guarded<Sum> differences(rows, 1);
        Guarded<double> products(rows, 1);
        row_fold().difference[lane](differences.start(), x.start, columns, rows);
        row_fold().product[lane](products.start(), x.start, columns, rows);
        row_fold().minimum[lane](low.start(), x.start, columns, rows);
        row_fold().maximum[lane](high.start(), x.start, columns, rows);
        bool right = true;
        for (std::size_t r = 0; r < rows; r++) {
          const T* row = x.start + r * columns;
          double sum = row[columns - 1], least = sum, greatest = sum, difference = sum, product = sum;
          for (std::size_t j = columns - 1; j-- > 0;) {
            sum = row[j] + sum;
            difference = row[j] - difference;
            product = row[j] * product;
            least = reference::minimum(row[j], least);
            greatest = reference::maximum(row[j], greatest);
          }
          right &= same(static_cast<double>(sums.start()[r]), sum) && same(static_cast<double>(low.start()[r]), least) &&
                   same(static_cast<double>(high.start()[r]), greatest);
          right &= same(static_cast<double>(differences.start()[r]), difference) && same(products.start()[r], product);
        }
        INFO(rows, " rows of ", columns);
        CHECK(right);
        CHECK(differences.kept_outside(rows));
        CHECK(products.kept_outside(rows));
        CHECK(sums.kept_outside(rows));
        CHECK(low.kept_outside(rows));
      }
}

}  // namespace

TEST_CASE("short rows are folded") {
  on_every_target([] {
    check_row_folds<std::int8_t, std::int32_t>(lane_i8);
    check_row_folds<std::int16_t, std::int32_t>(lane_i16);
    check_row_folds<std::int32_t, double>(lane_i32);
    check_row_folds<double, double>(lane_f64);
  });
}

namespace {

template <class T, class Sum>
void check_row_scans(int lane, RowScan sum, bool small) {
  Random random;
  for (std::size_t columns : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 64, 100, 127})
    for (std::size_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 16, 33}) {
      const std::size_t n = rows * columns;
      const Elements<T> x(random, n, 1, small);
      if constexpr (sizeof(Sum) == 1)
        for (std::size_t i = 0; i < n; i++) x.start[i] &= 1;
      Guarded<Sum> sums(n, 1);
      Guarded<T> low(n, 1), high(n, 1);
      sum(sums.start(), x.start, columns, rows);
      row_scan().minimum[lane](low.start(), x.start, columns, rows);
      row_scan().maximum[lane](high.start(), x.start, columns, rows);
      bool right = true;
      for (std::size_t i = 0; i < n; i++) {
        const bool first = i % columns == 0;
        const double v = x.start[i];
        right &= same(static_cast<double>(sums.start()[i]), first ? v : static_cast<double>(sums.start()[i - 1]) + v);
        right &=
            same(static_cast<double>(low.start()[i]), first ? v : reference::minimum(static_cast<double>(low.start()[i - 1]), v));
        right &= same(static_cast<double>(high.start()[i]),
                      first ? v : reference::maximum(static_cast<double>(high.start()[i - 1]), v));
      }
      INFO("lane ", lane, ", ", rows, " rows of ", columns, ", sums of ", sizeof(Sum), " bytes");
      CHECK(right);
      CHECK(sums.kept_outside(n));
      CHECK(low.kept_outside(n));
      CHECK(high.kept_outside(n));
      row_scan().maximum[lane](x.start, x.start, columns, rows);
      for (std::size_t i = 0; i < n; i++) right &= same(x.start[i], high.start()[i]);
      CHECK(right);
    }
}

}  // namespace

TEST_CASE("rows are scanned") {
  on_every_target([] {
    const RowScanKernels& kernels = row_scan();
    check_row_scans<std::int8_t, std::int16_t>(lane_i8, kernels.sum[lane_i8], false);
    check_row_scans<std::int8_t, std::int8_t>(lane_i8, kernels.sum_within[lane_i8], true);
    check_row_scans<std::int16_t, std::int32_t>(lane_i16, kernels.sum[lane_i16], false);
    check_row_scans<std::int16_t, std::int16_t>(lane_i16, kernels.sum_within[lane_i16], true);
    check_row_scans<std::int32_t, std::int32_t>(lane_i32, kernels.sum[lane_i32], true);
    check_row_scans<std::int32_t, double>(lane_i32, kernels.sum_f64, false);
    check_row_scans<double, double>(lane_f64, kernels.sum[lane_f64], true);
    check_row_scans<double, double>(lane_f64, kernels.sum[lane_f64], false);
  });
}

TEST_CASE("sums of doubles are rounded after each addition") {
  on_every_target([] {
    Random random;
    // Kinds: of one sign, of both, with ties, of many sizes, with what is no number.
    for (int kind = 0; kind < 8; kind++)
      for (std::size_t n : {0, 1, 31, 32, 33, 64, 100, 1000, 5000, 20000}) {
        std::vector<double> x(n + 1);
        for (double& v : x) {
          const double unit = random.next() / 16777216.0 + random.next() / 281474976710656.0;
          v = kind == 0 ? unit : kind == 1 ? unit - 0.5 : kind == 2 ? static_cast<double>(random.next() % 3) / 2 : unit - 0.49;
          if (kind == 3) v *= std::ldexp(1, static_cast<int>(random.next() % 40) - 20);
          if (kind == 4) v = (random.next() % 4) * 0x1p-52 + (&v == &x[0] || &v == &x[n] ? 1 : 0);
          if (kind == 5 && random.next() % 300 == 0) v = random.next() % 2 ? NAN : INFINITY;
          if (kind == 6) v *= 0x1p-1060;
          if (kind == 7 && random.next() % 50 == 0) v *= 0x1p1010;
        }
        const double start = kind == 4 ? 0 : kind % 2 == 0 ? 1000 : -0.125;
        const double* from = x.data() + 1;
        double right = start, left = start;
        for (std::size_t i = n; i-- > 0;) right = from[i] + right;
        INFO("kind ", kind, ", ", n, " elements");
        CHECK(same(ordered_sum().from_right(from, n, start), right));
        Guarded<double> out(n, 1);
        const double last = ordered_sum().running(out.start(), from, n, start);
        bool as_wanted = true;
        for (std::size_t i = 0; i < n; i++) as_wanted &= same(out.start()[i], left = left + from[i]);
        CHECK(as_wanted);
        CHECK(same(last, left));
        CHECK(out.kept_outside(n));
        std::vector<double> in_place(from, from + n);
        ordered_sum().running(in_place.data(), in_place.data(), n, start);
        as_wanted = true;
        for (std::size_t i = 0; i < n; i++) as_wanted &= same(in_place[i], out.start()[i]);
        CHECK(as_wanted);
      }
  });
}

TEST_CASE("bits are counted, and combined with all before them") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const std::size_t words = (n + 63) / 64;
      const Elements<std::uint64_t> bits(random, words, 1, false);
      std::size_t count = 0, flipped = 0;
      Guarded<std::uint64_t> parity(words, 0);
      if (n != 0) bool_scan().exclusive_or(parity.start(), bits.start, n);
      Guarded<std::int8_t> small(n, 1);
      Guarded<std::int16_t> middle(n, 1);
      Guarded<std::int32_t> large(n, 1);
      const bool fits = n <= 127;
      if (fits) scan().sum_bits[lane_i8](small.start(), bits.start, n);
      scan().sum_bits[lane_i16](middle.start(), bits.start, n);
      scan().sum_bits[lane_i32](large.start(), bits.start, n);
      bool right = true;
      for (std::size_t i = 0; i < n; i++) {
        count += bit_of(bits.start, i);
        flipped += bit_of(bits.start, i) != (i % 2 == 1);
        right &= bit_of(parity.start(), i) == (count % 2 == 1) && middle.start()[i] == static_cast<int>(count) &&
                 large.start()[i] == static_cast<int>(count) && (!fits || small.start()[i] == static_cast<int>(count));
      }
      CHECK(right);
      CHECK(bool_fold().count(bits.start, n, 0) == count);
      CHECK(bool_fold().count(bits.start, n, 0xAAAAAAAAAAAAAAAA) == flipped);
      CHECK(bool_fold().exclusive_or(bits.start, n) == (count % 2 == 1));
      CHECK(parity.kept_outside(words));
      CHECK(middle.kept_outside(n));
    });
    for (std::size_t rows : {1, 2, 254, 255, 256, 600}) {
      const Elements<std::uint64_t> bits(random, 2 * rows, 0, false);
      Guarded<std::int32_t> counts(128, 1);
      reduce_columns().count(counts.start(), bits.start, rows, 2);
      bool right = true;
      for (std::size_t j = 0; j < 128; j++) {
        int count = 0;
        for (std::size_t r = 0; r < rows; r++) count += bit_of(bits.start + 2 * r, j);
        right &= counts.start()[j] == count;
      }
      CHECK(right);
      CHECK(counts.kept_outside(128));
    }
  });
}

TEST_CASE("running functions of bits by strides") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      if (n == 0) return;
      const std::size_t words = (n + 63) / 64;
      for (std::size_t stride : {1, 2, 7, 8, 16, 24, 32, 63, 64, 65, 128, 200}) {
        const Elements<std::uint64_t> bits(random, words, 0, false);
        Guarded<std::uint64_t> parity(words, 0), any(words, 0), all(words, 0);
        bool_scan().exclusive_or_by(stride, parity.start(), bits.start, n);
        bool_scan().or_by(stride, any.start(), bits.start, n);
        bool_scan().and_by(stride, all.start(), bits.start, n);
        std::vector<bool> p(n), o(n), a(n);
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          const bool b = bit_of(bits.start, i), first = i < stride;
          p[i] = first ? b : b != p[i - stride];
          o[i] = first ? b : b || o[i - stride];
          a[i] = first ? b : b && a[i - stride];
          right &= bit_of(parity.start(), i) == p[i] && bit_of(any.start(), i) == o[i] && bit_of(all.start(), i) == a[i];
        }
        INFO("length ", n, " stride ", stride);
        CHECK(right);
        CHECK(parity.kept_outside(words));
      }
    });
  });
}

TEST_CASE("running functions of bits, of few ones and of long runs") {
  on_every_target([] {
    Random random;
    const auto check = [&](std::size_t n, int kind) {
      const std::size_t words = (n + 63) / 64;
      std::vector<std::uint64_t> bits(words + 1);
      for (std::uint64_t& word : bits) {
        word = random.number<std::uint64_t>(false) << 32 ^ random.number<std::uint64_t>(false);
        if (kind == 1) word = random.next() % 3 != 0 ? ~std::uint64_t{0} : word;
        if (kind == 2) word = random.next() % 5 != 0 ? 0 : word;
        if (kind == 3) word = ~std::uint64_t{0} << random.next() % 64;
        if (kind == 4) word = 0;
        if (kind == 5) word = ~std::uint64_t{0};
      }
      const std::uint64_t* x = bits.data() + 1;
      const auto check_scan = [&](Scan scan, auto of) {
        Guarded<std::uint64_t> out(words, 0);
        scan(out.start(), x, n);
        bool right = bit_of(out.start(), 0) == bit_of(x, 0);
        for (std::size_t i = 1; i < n; i++) right &= bit_of(out.start(), i) == of(bit_of(out.start(), i - 1), bit_of(x, i));
        CHECK(right);
        CHECK(out.kept_outside(words));
        std::vector<std::uint64_t> in_place(x, x + words);
        scan(in_place.data(), in_place.data(), n);
        bool same = true;
        for (std::size_t i = 0; i < n; i++) same &= bit_of(in_place.data(), i) == bit_of(out.start(), i);
        CHECK(same);
      };
      INFO("length ", n, " kind ", kind);
      const BoolScanKernels& k = bool_scan();
      check_scan(k.and_, [](bool w, bool x) { return w && x; });
      check_scan(k.or_, [](bool w, bool x) { return w || x; });
      check_scan(k.exclusive_or, [](bool w, bool x) { return w != x; });
      check_scan(k.equal, [](bool w, bool x) { return w == x; });
      check_scan(k.less, [](bool w, bool x) { return w < x; });
      check_scan(k.less_equal, [](bool w, bool x) { return w <= x; });
      check_scan(k.greater, [](bool w, bool x) { return w > x; });
      check_scan(k.greater_equal, [](bool w, bool x) { return w >= x; });
      std::size_t one = 0, zero = 0;
      while (one < n && !bit_of(x, one)) one++;
      while (zero < n && bit_of(x, zero)) zero++;
      CHECK(first_one(x, n) == one);
      CHECK(first_zero(x, n) == zero);
    };
    for (int kind = 0; kind < 6; kind++)
      for (std::size_t n : {1, 2, 63, 64, 65, 128, 129, 255, 256, 257, 320, 511, 512, 513, 700, 1024, 1100, 2049, 5000})
        check(n, kind);
  });
}

TEST_CASE("rows of bits are folded, scanned and counted") {
  on_every_target([] {
    Random random;
    std::vector<std::size_t> widths = {67, 90, 127, 128, 129, 191, 192, 193, 200, 256, 300, 640, 1000, 4096, 4500};
    for (std::size_t columns = 1; columns <= 66; columns++) widths.push_back(columns);
    for (std::size_t columns : widths)
      for (std::size_t rows : {1, 2, 3, 20, 21, 22, 63, 64, 65, 129, 500}) {
        if (columns > 128 && rows > 65) continue;
        const std::size_t n = rows * columns, words = (n + 63) / 64, result_words = (rows + 63) / 64;
        std::vector<std::uint64_t> bits(words + 1);
        const bool rare = rows % 2 == 0, flipped = rows % 4 == 0;
        for (std::uint64_t& word : bits) {
          word = random.number<std::uint64_t>(false);
          if (rare) word &= random.number<std::uint64_t>(false) & random.number<std::uint64_t>(false);
          if (flipped) word = ~word;
        }
        const std::uint64_t* start = bits.data() + 1;
        INFO(rows, " rows of ", columns);
        for (RowFunction f : {RowFunction::and_, RowFunction::or_, RowFunction::exclusive_or, RowFunction::equal,
                              RowFunction::less, RowFunction::less_equal, RowFunction::greater, RowFunction::greater_equal}) {
          const auto of = [f](bool w, bool x) {
            switch (f) {
              case RowFunction::and_: return w && x;
              case RowFunction::or_: return w || x;
              case RowFunction::exclusive_or: return w != x;
              case RowFunction::equal: return w == x;
              case RowFunction::less: return w < x;
              case RowFunction::less_equal: return w <= x;
              case RowFunction::greater: return w > x;
              case RowFunction::greater_equal: return w >= x;
            }
            return false;
          };
          Guarded<std::uint64_t> folded(result_words, 0);
          bool_rows().fold(f, folded.start(), start, columns, rows);
          bool right = true;
          for (std::size_t r = 0; r < rows; r++) {
            bool so_far = bit_of(start, (r + 1) * columns - 1);
            for (std::size_t i = (r + 1) * columns - 1; i-- > r * columns;) so_far = of(bit_of(start, i), so_far);
            right &= bit_of(folded.start(), r) == so_far;
          }
          CHECK(right);
          CHECK(folded.kept_outside(result_words));
          if (f > RowFunction::exclusive_or) continue;
          Guarded<std::uint64_t> scanned(words, 0);
          bool_row_scan().scan(f, scanned.start(), start, columns, n);
          for (std::size_t i = 0; i < n; i++) {
            const bool b = bit_of(start, i);
            right &= bit_of(scanned.start(), i) == (i % columns == 0 ? b : of(bit_of(scanned.start(), i - 1), b));
          }
          CHECK(right);
          CHECK(scanned.kept_outside(words));
        }
        Guarded<std::int8_t> counts(rows, 1);
        Guarded<std::int16_t> wide_counts(rows, 1);
        Guarded<double> real_counts(rows, 1);
        if (columns <= 127) bool_rows().count_i8(counts.start(), start, columns, rows);
        bool_rows().count_i16(wide_counts.start(), start, columns, rows);
        bool_rows().count_f64(real_counts.start(), start, columns, rows);
        bool right = true;
        for (std::size_t r = 0; r < rows; r++) {
          int count = 0;
          for (std::size_t i = r * columns; i < (r + 1) * columns; i++) count += bit_of(start, i);
          right &= columns > 127 || counts.start()[r] == count;
          right &= wide_counts.start()[r] == count && real_counts.start()[r] == count;
        }
        CHECK(right);
        CHECK(counts.kept_outside(rows));
        CHECK(wide_counts.kept_outside(rows));
        CHECK(real_counts.kept_outside(rows));
      }
  });
}

TEST_CASE("products of matrices are summed from the last to the first") {
  on_every_target([] {
    Random random;
    const MatrixKernels& kernels = matrix();
    for (const std::size_t rows : {1, 3, 4, 9})
      for (const std::size_t inner : {1, 2, 7, 40})
        for (std::size_t columns = 1; columns <= kernels.panel_columns; columns++) {
          const Elements<double> a(random, rows * inner, 0, false), b(random, inner * columns, 1, false);
          std::vector<double> panel(inner * kernels.panel_columns);
          Guarded<double> products(rows * columns, 1);
          kernels.pack(panel.data(), b.start, columns, inner, columns);
          kernels.multiply(products.start(), columns, a.start, rows, inner, panel.data(), columns);
          bool correct = true;
          for (std::size_t r = 0; r < rows; r++)
            for (std::size_t c = 0; c < columns; c++) {
              double sum = a.start[r * inner + inner - 1] * b.start[(inner - 1) * columns + c];
              for (std::size_t k = inner - 1; k-- > 0;) sum = a.start[r * inner + k] * b.start[k * columns + c] + sum;
              correct &= same(products.start()[r * columns + c], sum);
            }
          CHECK(correct);
          CHECK(products.kept_outside(rows * columns));
        }
  });
}

TEST_CASE("rows of bits are split into columns that begin anywhere") {
  on_every_target([] {
    Random random;
    for (std::size_t width = 2; width <= 64; width++)
      for (std::size_t rows : {1, 2, 15, 16, 17, 63, 64, 65, 128, 200, 1023, 1024, 1025, 2100}) {
        const std::size_t words = (rows * width + 63) / 64, start = width % 5, stride = rows + rows % 3;
        const Elements<std::uint64_t> bits(random, words, 0, false);
        Guarded<std::uint64_t> columns((start + stride * width + 63) / 64, 0);
        const std::vector<std::uint64_t> before(columns.start(), columns.start() + (start + stride * width + 63) / 64);
        if (!bit_columns().split(columns.start(), start, stride, bits.start, width, rows)) continue;
        bool right = true;
        for (std::size_t c = 0; c < width; c++)
          for (std::size_t r = 0; r < stride; r++) {
            const std::size_t at = start + c * stride + r;
            right &= bit_of(columns.start(), at) == (r < rows ? bit_of(bits.start, r * width + c) : bit_of(before.data(), at));
          }
        INFO(rows, " rows of ", width);
        CHECK(right);
        CHECK(columns.kept_outside(before.size()));
      }
  });
}
