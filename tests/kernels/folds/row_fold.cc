#include "primitives/kernels/folds/row_fold.h"

#include <cstring>

#include "primitives/kernels/folds/row_scan.h"
#include "primitives/kernels/folds/wide_sums.h"
#include "tests/support/arithmetic_reference.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T, class Sum>
void check_row_folds(int lane) {
  Random random;
  for (bool small : {true, false})
    for (std::size_t columns = 1; columns <= 68; columns = columns == 35 ? 63 : columns + 1)
      for (std::size_t rows : {1, 2, 3, 7, 8, 9, 16, 31, 33, 70, 90}) {
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

void check_wide_sums() {
  if (wide_sums().rows == nullptr) return;
  Random random;
  for (bool small : {true, false})
    for (std::size_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 100})
      for (std::size_t rows : {1, 2, 7, 8, 9, 15, 16, 70}) {
        const Elements<std::int32_t> x(random, rows * columns, 1, small);
        Guarded<std::int64_t> sums(rows, 1);
        wide_sums().rows(sums.start(), x.start, columns, rows);
        bool right = sums.kept_outside(rows), all_fit = true;
        for (std::size_t r = 0; r < rows; r++) {
          std::int64_t sum = 0;
          for (std::size_t j = 0; j < columns; j++) sum += x.start[r * columns + j];
          right &= sums.start()[r] == sum;
          all_fit &= sum == static_cast<std::int32_t>(sum);
        }
        Guarded<std::int32_t> narrow(rows, 1);
        Guarded<double> real(rows, 1);
        wide_sums().to_i32(narrow.start(), sums.start(), rows);
        wide_sums().to_f64(real.start(), sums.start(), rows);
        right &= narrow.kept_outside(rows) && real.kept_outside(rows);
        for (std::size_t r = 0; r < rows; r++)
          right &= narrow.start()[r] == static_cast<std::int32_t>(sums.start()[r]) &&
                   real.start()[r] == static_cast<double>(sums.start()[r]);
        INFO(rows, " rows of ", columns);
        CHECK(right);
        CHECK(wide_sums().fit(sums.start(), rows) == all_fit);
        wide_sums().to_f64(sums.start(), sums.start(), rows);
        CHECK(std::memcmp(sums.start(), real.start(), rows * sizeof(double)) == 0);
        CHECK(sums.kept_outside(rows));
      }
}

// Factors are so small that some tables have greater products, and some do not.
template <class T>
void check_small_products(int lane) {
  Random random;
  int fitted = 0, failed = 0;
  for (std::size_t most : {2, 3, 100})
    for (std::size_t columns = 1; columns <= 68; columns = columns == 35 ? 64 : columns + 1)
      for (std::size_t rows : {1, 2, 3, 7, 8, 9, 16, 31, 33, 70, 90}) {
        const Elements<T> x(random, rows * columns, 1, false);
        for (std::size_t i = 0; i < rows * columns; i++)
          x.start[i] = static_cast<T>(x.start[i] % static_cast<T>(most) + (columns % 2 == 0 && i % 3 != 0));
        Guarded<std::int32_t> products(rows, 1);
        Bounds bounds = {};
        const bool are_small = row_fold().small_product[lane](products.start(), x.start, columns, rows, bounds);
        CHECK(products.kept_outside(rows));
        bool right = true, any_great = false;
        double low = 1e300, high = -1e300;
        for (std::size_t r = 0; r < rows; r++) {
          double product = 1;
          for (std::size_t j = 0; j < columns; j++) product *= x.start[r * columns + j];
          any_great |= !(product < 16777216 && product > -16777216);
          low = std::min(low, product);
          high = std::max(high, product);
          if (are_small) right &= products.start()[r] == product;
        }
        INFO(rows, " rows of ", columns, " below ", most);
        CHECK(right);
        // Factors far from 1 may leave floats before a 0 comes.
        CHECK((are_small ? !any_great : any_great || columns > 15));
        if (are_small) CHECK((bounds.low == low && bounds.high == high));
        (are_small ? fitted : failed)++;
      }
  CHECK(fitted > 100);
  CHECK(failed > 100);
}

template <class T, class Wide>
void check_pairs(int lane) {
  Random random;
  for (std::size_t rows : {1, 2, 7, 8, 9, 16, 31, 33, 100}) {
    const Elements<T> x(random, 2 * rows, 1, false);
    Guarded<Wide> sums(rows, 1), differences(rows, 1), products(rows, 1);
    row_fold().pair_sums[lane](sums.start(), x.start, rows);
    row_fold().pair_differences[lane](differences.start(), x.start, rows);
    row_fold().pair_products[lane](products.start(), x.start, rows);
    bool right = true;
    for (std::size_t r = 0; r < rows; r++) {
      const std::int64_t first = x.start[2 * r], second = x.start[2 * r + 1];
      right &=
          sums.start()[r] == first + second && differences.start()[r] == first - second && products.start()[r] == first * second;
    }
    INFO(rows, " pairs");
    CHECK(right);
    CHECK(sums.kept_outside(rows));
    CHECK(differences.kept_outside(rows));
    CHECK(products.kept_outside(rows));
  }
}

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

TEST_CASE("rows of i32 are summed in 64 bits") { on_every_target(check_wide_sums); }

TEST_CASE("short rows are folded") {
  on_every_target([] {
    check_row_folds<std::int8_t, std::int32_t>(lane_i8);
    check_row_folds<std::int16_t, std::int32_t>(lane_i16);
    check_row_folds<std::int32_t, double>(lane_i32);
    check_row_folds<double, double>(lane_f64);
  });
}

TEST_CASE("small products of rows are integers, and great ones are noticed") {
  on_every_target([] {
    check_small_products<std::int8_t>(lane_i8);
    check_small_products<std::int16_t>(lane_i16);
    check_small_products<std::int32_t>(lane_i32);
  });
}

TEST_CASE("pairs are folded to twice their width") {
  on_every_target([] {
    check_pairs<std::int8_t, std::int16_t>(0);
    check_pairs<std::int16_t, std::int32_t>(1);
  });
}

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
