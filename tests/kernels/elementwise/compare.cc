#include "primitives/kernels/elementwise/compare_table.h"
#include "primitives/kernels/elementwise/count.h"

#include <cmath>

#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
bool holds(int comparison, T w, T x) {
  const bool results[] = {w<x, w <= x, w == x, w >= x, w> x, w != x};
  return results[comparison];
}

template <class T>
void check_comparisons(ComparedLane lane, std::size_t n, std::size_t offset_w, std::size_t offset_x) {
  Random random;
  for (int c = 0; c < comparison_count; c++)
    for (int form = 0; form < form_count; form++) {
      const Elements<T> w(random, n, offset_w, n % 2 == 0), x(random, n, offset_x, n % 2 == 0);
      const std::size_t words = (n + 63) / 64;
      Guarded<std::uint64_t> out(words, 0);
      compare().compare[c][lane][static_cast<Form>(form)](out.start(), w.start, x.start, n);
      bool right = true;
      for (std::size_t i = 0; i < 64 * words; i++) {
        const bool expected = i < n && holds(c, w.start[form == scalar_array ? 0 : i], x.start[form == array_scalar ? 0 : i]);
        right &= bit_of(out.start(), i) == expected;
      }
      INFO("length ", n, " comparison ", c, " form ", form);
      CHECK(right);
      CHECK(out.kept_outside(words));
    }
}
template <class T>
void check_comparisons(ComparedLane lane, std::size_t n) {
  check_comparisons<T>(lane, n, n % 3, 1);
  check_comparisons<T>(lane, n, 0, 0);
}
template <class T>
void check_comparisons(ComparedLane lane) {
  for_lengths([&](std::size_t n) { check_comparisons<T>(lane, n); });
  // Lists that the first-level cache does not hold.
  for (std::size_t n : {32767, 32768, 32799, 32800, 32833, 32895, 32928}) check_comparisons<T>(lane, n);
}

template <class T>
void check_odd(int lane) {
  Random random;
  for_lengths([&](std::size_t n) {
    for (const std::size_t offset : {0, 1, 3}) {
      const Elements<T> x(random, n, offset, false);
      const std::size_t words = (n + 63) / 64;
      Guarded<std::uint64_t> out(words, 0);
      compare().odd[lane](out.start(), x.start, n);
      bool right = true;
      for (std::size_t i = 0; i < 64 * words; i++) right &= bit_of(out.start(), i) == (i < n && (x.start[i] & 1) != 0);
      INFO("length ", n);
      CHECK(right);
      CHECK(out.kept_outside(words));
    }
  });
}

template <class T>
void check_tables(ComparedLane lane) {
  Random random;
  for (int c = 0; c < comparison_count; c++)
    for (const std::size_t rows : {1, 2, 3, 16, 40})
      for (const std::size_t n : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 80, 97, 100, 127, 128, 129, 200}) {
        for (const bool own_rows : {false, true}) {
          const Elements<T> w(random, rows, 1, true), x(random, own_rows ? rows * n : n, n % 3, true);
          const std::size_t words = (rows * n + 63) / 64;
          Guarded<std::uint64_t> out(words, 0);
          const auto& kernels = own_rows ? compare_tables().compare_rows : compare_tables().compare;
          CHECK(kernels[c][lane](out.start(), w.start, rows, x.start, n));
          bool right = true;
          for (std::size_t i = 0; i < 64 * words; i++)
            right &= bit_of(out.start(), i) == (i < rows * n && holds(c, w.start[i / n], x.start[own_rows ? i : i % n]));
          INFO("rows ", rows, " of ", n, " comparison ", c, " own rows ", own_rows);
          CHECK(right);
          CHECK(out.kept_outside(words));
        }
      }
}

bool on_bits(int f, bool w, bool x) {
  const bool results[] = {w && x, w || x, !w && x, w && !x, !w || x, w || !x, w == x, w != x};
  return results[f];
}

}  // namespace

TEST_CASE("comparisons of every type give packed bits") {
  on_every_target([] {
    check_comparisons<std::int8_t>(compared_i8);
    check_comparisons<std::int16_t>(compared_i16);
    check_comparisons<std::int32_t>(compared_i32);
    check_comparisons<double>(compared_f64);
    check_comparisons<std::uint8_t>(compared_u8);
    check_comparisons<std::uint16_t>(compared_u16);
  });
}

TEST_CASE("tables of comparisons hold what each pair of elements gives") {
  on_every_target([] {
    check_tables<std::int8_t>(compared_i8);
    check_tables<std::int16_t>(compared_i16);
    check_tables<std::int32_t>(compared_i32);
    check_tables<double>(compared_f64);
    check_tables<std::uint8_t>(compared_u8);
    check_tables<std::uint16_t>(compared_u16);
  });
}

TEST_CASE("functions of packed bits work on whole words") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const std::size_t words = (n + 63) / 64;
      for (int f = 0; f < bit_function_count; f++)
        for (int form = 0; form < form_count; form++) {
          const Elements<std::uint64_t> w(random, words, 0, false), x(random, words, 1, false);
          const std::uint64_t one = n % 2 ? ~std::uint64_t{0} : 0;
          Guarded<std::uint64_t> out(words, 0);
          compare().bits[f][static_cast<Form>(form)](out.start(), form == scalar_array ? &one : w.start,
                                                     form == array_scalar ? &one : x.start, n);
          bool right = true;
          for (std::size_t i = 0; i < n; i++)
            right &= bit_of(out.start(), i) == on_bits(f, form == scalar_array ? one & 1 : bit_of(w.start, i),
                                                       form == array_scalar ? one & 1 : bit_of(x.start, i));
          CHECK(right);
          CHECK(out.kept_outside(words));
        }
    });
  });
}

namespace {

template <class T>
void check_counts(Lane lane) {
  Random random;
  const auto holds = [](int c, T w, T x) {
    return c == 0 ? w < x : c == 1 ? w <= x : c == 2 ? w == x : c == 3 ? w >= x : c == 4 ? w > x : w != x;
  };
  const auto check = [&](std::size_t n) {
    Elements<T> w(random, n, n % 3, true), x(random, n, 1, true);
    for (std::size_t i = 0; i < n; i += 3) x.start[i] = w.start[i];
    if constexpr (std::is_same_v<T, double>)
      if (n > 2) x.start[n / 2] = NAN;
    const T one = n == 0 ? T{1} : w.start[n / 3];
    for (int c = 0; c < comparison_count; c++) {
      std::int64_t arrays = 0, left = 0, right = 0;
      for (std::size_t i = 0; i < n; i++) {
        arrays += holds(c, w.start[i], x.start[i]);
        left += holds(c, one, x.start[i]);
        right += holds(c, x.start[i], one);
      }
      INFO("comparison ", c, ", ", n, " elements");
      const Count* const count = count_compared().count[c][lane];
      CHECK(count[array_array](w.start, x.start, n) == arrays);
      CHECK(count[scalar_array](&one, x.start, n) == left);
      CHECK(count[array_scalar](x.start, &one, n) == right);
    }
  };
  for_lengths([&](std::size_t n) {
    if (n != 0) check(n);
  });
  check(70'000);
}

}  // namespace

TEST_CASE("comparisons that hold are counted") {
  on_every_target([] {
    check_counts<std::int8_t>(lane_i8);
    check_counts<std::int16_t>(lane_i16);
    check_counts<std::int32_t>(lane_i32);
    check_counts<double>(lane_f64);
    // As many in each lane as it can hold.
    for (std::size_t n : {8000u, 8064u, 16000u, 16128u, 16300u}) {
      const std::vector<std::int8_t> same(n, 5);
      CHECK(count_compared().count[2][lane_i8][array_array](same.data(), same.data(), n) == static_cast<std::int64_t>(n));
    }
    const std::vector<std::int16_t> same(2'200'000, 5);
    CHECK(count_compared().count[2][lane_i16][array_array](same.data(), same.data(), same.size()) == 2'200'000);
  });
}

TEST_CASE("odd integers are told from even ones") {
  on_every_target([] {
    check_odd<std::int8_t>(lane_i8);
    check_odd<std::int16_t>(lane_i16);
    check_odd<std::int32_t>(lane_i32);
  });
}
