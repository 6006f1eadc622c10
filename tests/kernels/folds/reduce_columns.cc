#include "primitives/kernels/booleans/positional_popcount.h"
#include "primitives/kernels/folds/reduce.h"
#include "primitives/kernels/folds/scan.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

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

namespace {

// Columns of doubles with some NaNs: folds leave them aside, scans begin again behind them.
void check_columns_with_nans() {
  Random random;
  for (std::size_t rows : {1, 2, 3, 65, 200})
    for (std::size_t columns : {1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70})
      for (const std::size_t apart : {2, 7, 100}) {
        const std::size_t n = rows * columns;
        const Elements<double> x(random, n, 1, true);
        for (std::size_t i = 0; i < n; i++)
          if (random.next() % apart == 0) x.start[i] = NAN;
        Guarded<double> least(columns, 1), greatest(columns, 1), lows(n, 1), highs(n, 1);
        reduce_columns().minimum[lane_f64](least.start(), x.start, rows, columns);
        reduce_columns().maximum[lane_f64](greatest.start(), x.start, rows, columns);
        scan_columns().minimum[lane_f64](lows.start(), x.start, rows, columns);
        scan_columns().maximum[lane_f64](highs.start(), x.start, rows, columns);
        bool right = true;
        for (std::size_t j = 0; j < columns; j++) {
          double low = INFINITY, high = -INFINITY, running_low = INFINITY, running_high = -INFINITY;
          for (std::size_t i = j; i < n; i += columns) {
            low = reference::minimum(x.start[i], low);
            high = reference::maximum(x.start[i], high);
            right &= same(lows.start()[i], running_low = reference::minimum(running_low, x.start[i]));
            right &= same(highs.start()[i], running_high = reference::maximum(running_high, x.start[i]));
          }
          right &= least.start()[j] == low && greatest.start()[j] == high;
        }
        INFO(rows, " rows, ", columns, " columns, a NaN in ", apart);
        CHECK(right);
        CHECK(least.kept_outside(columns));
        const double* const last = x.start + n - columns;
        reduce_columns().copy_nans(greatest.start(), last, columns);
        for (std::size_t j = 0; j < columns; j++)
          right &= last[j] != last[j] ? greatest.start()[j] != greatest.start()[j] : greatest.start()[j] >= last[j];
        CHECK(right);
        CHECK(greatest.kept_outside(columns));
        CHECK(highs.kept_outside(n));
      }
}

}  // namespace

TEST_CASE("extremes of columns with NaNs") { on_every_target(check_columns_with_nans); }

TEST_CASE("columns are folded and scanned") {
  on_every_target([] {
    check_columns<std::int8_t, std::int32_t>(lane_i8);
    check_columns<std::int16_t, std::int32_t>(lane_i16);
    check_columns<std::int32_t, double, std::int32_t>(lane_i32);
    check_columns<double, double>(lane_f64);
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

TEST_CASE("1s are counted in each column") {
  on_every_target([] {
    Random random;
    for (std::size_t columns :
         {1, 2, 3, 5, 7, 8, 12, 16, 24, 31, 32, 40, 63, 64, 65, 100, 128, 250, 255, 256, 257, 264, 320, 1000, 4095, 4104})
      for (std::size_t rows : {1, 2, 7, 8, 15, 16, 31, 33, 254, 255, 256, 600, 9000}) {
        const std::size_t n = rows * columns;
        if (n > 200000) continue;
        const Elements<std::uint64_t> bits(random, n / 64 + 1, 0, false);
        // Columns in which all bits are 1, too.
        if (rows % 2 == 0)
          for (std::size_t i = 0; i < n; i++)
            if (i % columns % 3 == 0) bits.start[i / 64] |= std::uint64_t{1} << i % 64;
        Guarded<std::int32_t> counts(counted_places(columns), 1);
        count_columns(counts.start(), bits.start, rows, columns);
        std::vector<std::int32_t> expected(columns);
        for (std::size_t i = 0; i < n; i++) expected[i % columns] += bit_of(bits.start, i);
        INFO(rows, " rows, ", columns, " columns");
        CHECK(std::equal(expected.begin(), expected.end(), counts.start()));
        CHECK(counts.kept_outside(counted_places(columns)));
        if (rows > most_rows_in_bytes) continue;
        Guarded<std::uint8_t> bytes(columns, 1);
        if (!count_to_bytes(bytes.start(), bits.start, rows, columns)) continue;
        CHECK(std::equal(expected.begin(), expected.end(), bytes.start()));
        CHECK(bytes.kept_outside(columns));
      }
  });
}

TEST_CASE("words are folded down columns") {
  on_every_target([] {
    Random random;
    for (std::size_t rows : {1, 2, 3, 9, 40, 65})
      for (std::size_t columns : {1, 2, 3, 4, 7, 8, 9, 16, 33}) {
        const Elements<std::uint64_t> x(random, rows * columns, 1, false);
        const auto check = [&](ReduceColumnKernels::Columns fold, auto combine) {
          Guarded<std::uint64_t> out(columns, 1);
          fold(out.start(), x.start, rows, columns);
          bool right = out.kept_outside(columns);
          for (std::size_t j = 0; j < columns; j++) {
            std::uint64_t so_far = x.start[j];
            for (std::size_t r = 1; r < rows; r++) so_far = combine(so_far, x.start[r * columns + j]);
            right &= out.start()[j] == so_far;
          }
          INFO(rows, " rows, ", columns, " columns");
          CHECK(right);
        };
        const auto& words = reduce_columns().words;
        check(words.and_, [](std::uint64_t a, std::uint64_t b) { return a & b; });
        check(words.or_, [](std::uint64_t a, std::uint64_t b) { return a | b; });
        check(words.exclusive_or, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
      }
  });
}
