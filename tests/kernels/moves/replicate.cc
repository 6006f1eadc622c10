#include "primitives/kernels/moves/replicate.h"

#include <cstring>

#include "primitives/kernels/search/run_counts.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Makes n bits, of which one in `rarity` is set; 0 sets them all.
std::vector<std::uint64_t> random_bits(Random& random, std::size_t n, std::uint64_t rarity) {
  std::vector<std::uint64_t> words((n + 63) / 64 + 1);
  for (std::size_t i = 0; i < n; i++)
    if (rarity == 0 || random.next() % rarity == 0) words[i / 64] |= std::uint64_t{1} << i % 64;
  return words;
}
bool bit_at(const void* bits, std::size_t i) { return static_cast<const std::uint64_t*>(bits)[i / 64] >> i % 64 & 1; }

// Tells whether element i of one list is element j of another.
bool same(unsigned width, const void* a, std::size_t i, const void* b, std::size_t j) {
  if (width == 1) return bit_at(a, i) == bit_at(b, j);
  const std::size_t bytes = width / 8;
  return std::memcmp(static_cast<const std::uint8_t*>(a) + i * bytes, static_cast<const std::uint8_t*>(b) + j * bytes, bytes) ==
         0;
}
std::size_t bytes_of(unsigned width, std::size_t n) { return width == 1 ? (n + 63) / 64 * 8 : n * width / 8; }

constexpr unsigned widths[] = {1, 8, 16, 32, 64};

}  // namespace

TEST_CASE("elements are kept by a mask, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      for (std::uint64_t rarity : {0, 1, 2, 3, 40}) {
        const std::vector<std::uint64_t> mask = random_bits(random, n, rarity);
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < n; i++)
          if (bit_at(mask.data(), i)) places.push_back(i);
        CHECK(count_ones(mask.data(), n) == places.size());
        for (unsigned width : widths)
          for (std::size_t spare : {std::size_t{0}, width == 1 ? 0 : spare_elements(width, n)}) {
            const std::vector<std::uint64_t> from = random_bits(random, 64 * (bytes_of(width, n) / 8 + 1), 2);
            const std::size_t room = places.size() + spare, bytes = bytes_of(width, room);
            Guarded<std::uint8_t> out(bytes, 0);
            compress(width, out.start(), room, from.data(), mask.data(), n);
            CHECK(out.kept_outside(bytes));
            bool right = true;
            for (std::size_t k = 0; k < places.size(); k++) right &= same(width, out.start(), k, from.data(), places[k]);
            CHECK(right);
          }
        const auto check_places = [&]<class T>(ElementType type, T) {
          if (n > 128 && type == ElementType::i8) return;
          for (std::size_t spare : {std::size_t{0}, spare_elements(8 * sizeof(T), n)}) {
            const std::size_t room = places.size() + spare;
            Guarded<T> out(room, 0);
            places_of_ones(type, out.start(), room, mask.data(), n);
            CHECK(out.kept_outside(room));
            bool right = true;
            for (std::size_t k = 0; k < places.size(); k++) right &= out.start()[k] == static_cast<T>(places[k]);
            CHECK(right);
          }
        };
        check_places(ElementType::i8, std::int8_t{});
        check_places(ElementType::i16, std::int16_t{});
        check_places(ElementType::i32, std::int32_t{});
        check_places(ElementType::f64, double{});
      }
    });
  });
}

TEST_CASE("masks whose blocks differ in how many ones they have, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t n : {12287, 12288, 12289, 30000, 70000}) {
      std::vector<std::uint64_t> mask((n + 63) / 64 + 1);
      std::vector<std::uint32_t> from(n), expected, places;
      for (std::size_t i = 0; i < n; i++) {
        // Blocks of 4096 with hardly any, a few, many, and few in most words but all in some.
        constexpr std::uint64_t rarity[] = {1000, 100, 25, 2, 80, 500, 40};
        const bool one = random.next() % rarity[i / 4096 % 7] == 0 || (i / 4096 % 7 == 4 && i / 64 % 16 == 0);
        from[i] = static_cast<std::uint32_t>(random.next());
        if (!one) continue;
        mask[i / 64] |= std::uint64_t{1} << i % 64;
        expected.push_back(from[i]);
        places.push_back(static_cast<std::uint32_t>(i));
      }
      for (std::size_t spare : {std::size_t{0}, spare_elements(32, n)}) {
        const std::size_t room = expected.size() + spare;
        Guarded<std::uint32_t> out(room, 0), found(room, 0);
        compress(32, out.start(), room, from.data(), mask.data(), n);
        places_of_ones(ElementType::i32, found.start(), room, mask.data(), n);
        CHECK(std::equal(expected.begin(), expected.end(), out.start()));
        CHECK(std::equal(places.begin(), places.end(), found.start()));
        CHECK(out.kept_outside(room));
        CHECK(found.kept_outside(room));
      }
    }
  });
}

TEST_CASE("elements are repeated a number of times, on every target") {
  on_every_target([] {
    Random random;
    const auto check = [&](std::size_t n, unsigned width) {
      const std::vector<std::uint64_t> from = random_bits(random, 64 * (n + 1), 2);
      for (std::size_t times : {1,  2,  3,  4,  5,  6,  7,  8,   9,   10,  12,  15,  16,  17,  24,
                                31, 40, 48, 63, 64, 65, 96, 127, 128, 129, 200, 255, 256, 300, 1000}) {
        const std::size_t total = n * times, bytes = bytes_of(width, total);
        Guarded<std::uint8_t> out(bytes, 0);
        repeat_each(width, out.start(), from.data(), n, times);
        CHECK(out.kept_outside(bytes));
        bool right = true;
        for (std::size_t k = 0; k < total; k++) right &= same(width, out.start(), k, from.data(), k / times);
        CHECK(right);
      }
    };
    for_lengths([&](std::size_t n) {
      if (n <= 300)
        for (unsigned width : widths) check(n, width);
    });
    // Bits pass by blocks of 256 and 512.
    for (std::size_t n : {255, 256, 257, 449, 511, 512, 513, 1024, 1100}) check(n, 1);
  });
}

TEST_CASE("cells of any length are kept by mask, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      for (std::size_t bytes : {1, 2, 3, 4, 8, 12, 16, 24, 32, 64, 100})
        for (unsigned density : {0, 1, 8, 15, 16}) {
          std::vector<std::uint8_t> from(n * bytes), expected;
          for (auto& b : from) b = static_cast<std::uint8_t>(random.next());
          std::vector<std::uint64_t> mask(n / 64 + 1, ~std::uint64_t{0});
          std::size_t total = 0;
          for (std::size_t i = 0; i < n; i++) {
            const bool kept = random.next() % 16 < density;
            if (!kept) mask[i / 64] &= ~(std::uint64_t{1} << i % 64);
            if (kept)
              expected.insert(expected.end(), from.begin() + static_cast<std::ptrdiff_t>(i * bytes),
                              from.begin() + static_cast<std::ptrdiff_t>((i + 1) * bytes));
            total += kept;
          }
          Guarded<std::uint8_t> out(expected.size(), 1);
          compress_cells(bytes, out.start(), total, from.data(), mask.data(), n);
          INFO("cells ", n, " of ", bytes);
          CHECK(std::equal(expected.begin(), expected.end(), out.start()));
          CHECK(out.kept_outside(expected.size()));
        }
    });
  });
}

TEST_CASE("elements are repeated by counts, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      const auto check = [&]<class C>(ElementType type, C, std::uint64_t most) {
        std::vector<C> counts(n);
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < n; i++) {
          const std::uint64_t count = random.next() % (i % 16 == 15 ? 100 : most + 1);
          counts[i] = static_cast<C>(count);
          places.insert(places.end(), count, i);
        }
        double sum;
        CHECK(add_counts(type, counts.data(), n, &sum) == n);
        CHECK(sum == static_cast<double>(places.size()));
        const std::vector<std::uint64_t> from = random_bits(random, 64 * (n + 1), 2);
        for (unsigned width : widths) {
          const std::size_t bytes = bytes_of(width, places.size());
          Guarded<std::uint8_t> out(bytes, 0);
          repeat_by_counts(width, out.start(), places.size(), from.data(), type, counts.data(), n);
          CHECK(out.kept_outside(bytes));
          bool right = true;
          for (std::size_t k = 0; k < places.size(); k++) right &= same(width, out.start(), k, from.data(), places[k]);
          CHECK(right);
        }
        if (n == 0) return;
        const std::size_t bad = random.next() % n;
        counts[bad] = static_cast<C>(-1);
        CHECK(add_counts(type, counts.data(), n, &sum) == bad);
      };
      check(ElementType::i8, std::int8_t{}, 3);
      check(ElementType::i16, std::int16_t{}, 5);
      check(ElementType::i32, std::int32_t{}, 2);
      check(ElementType::f64, double{}, 20);
    });
  });
}

namespace {

// Numbers in order, most of them near each other, are written with counts of up to 100.
template <class T>
void check_run_counts(Random& random, ElementType type, std::size_t runs, std::size_t widest_gap, std::size_t beyond) {
  std::vector<T> numbers;
  std::vector<std::int32_t> ends{-1 - static_cast<std::int32_t>(random.next() % 10)};
  std::size_t number = random.next() % 3, all = 0;
  for (std::size_t k = 0; k < runs; k++, number += 1 + random.next() % widest_gap) {
    numbers.push_back(static_cast<T>(number));
    ends.push_back(ends.back() + 1 + static_cast<std::int32_t>(random.next() % 100));
  }
  const std::size_t length = static_cast<std::size_t>(numbers.back()) + 1 + beyond;
  std::vector<std::int8_t> expected(length, 0);
  for (std::size_t k = 0; k < runs; k++) {
    const std::int32_t count = ends[k + 1] - ends[k];
    expected[static_cast<std::size_t>(numbers[k])] = static_cast<std::int8_t>(count);
    all |= static_cast<std::size_t>(count);
  }
  Guarded<std::int8_t> counts(length, 3);
  std::memset(counts.start(), 0, length);
  CHECK(kernels::write_run_counts(counts.start(), length, type, numbers.data(), ends.data() + 1, runs) == all);
  CHECK(std::memcmp(counts.start(), expected.data(), length) == 0);
  CHECK(counts.kept_outside(length));

  // The same number by number, with the first ones of a run left out.
  std::vector<T> each;
  for (std::size_t k = 0; k < runs; k++) each.insert(each.end(), static_cast<std::size_t>(ends[k + 1] - ends[k]), numbers[k]);
  const std::size_t left_out = random.next() % static_cast<std::size_t>(ends[1] - ends[0]);
  std::memset(counts.start(), 0, length);
  const std::size_t on_the_way =
      kernels::count_each_in_order(counts.start(), type, each.data() + left_out, each.size() - left_out, left_out);
  CHECK(std::memcmp(counts.start(), expected.data(), length) == 0);
  CHECK((on_the_way == 1) == (each.size() == runs));
  CHECK(on_the_way <= 127);
  CHECK(counts.kept_outside(length));
}

// A run that a byte does not count.
template <class T>
void check_long_run(Random& random, ElementType type) {
  for (std::size_t n : {100, 127, 128, 255, 300}) {
    std::vector<T> each(n, T{5});
    each.resize(n + random.next() % 20, T{6});
    std::int8_t counts[7] = {};
    CHECK((kernels::count_each_in_order(counts, type, each.data(), each.size(), 0) > 127) == (n > 127));
  }
}

}  // namespace

TEST_CASE("counts of runs go to their places, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t runs : {1, 7, 8, 9, 16, 40, 60})
      for (std::size_t beyond : {0, 1, 63, 64})
        for (std::size_t gap : {1, 2, 8, 9, 30}) {
          if (gap == 1) check_run_counts<std::int8_t>(random, ElementType::i8, runs, gap, 0);
          check_run_counts<std::int16_t>(random, ElementType::i16, runs, gap, beyond);
          check_run_counts<std::int32_t>(random, ElementType::i32, runs, gap, beyond);
          check_run_counts<double>(random, ElementType::f64, runs, gap, beyond);
        }
    check_long_run<std::int8_t>(random, ElementType::i8);
    check_long_run<std::int16_t>(random, ElementType::i16);
    check_long_run<std::int32_t>(random, ElementType::i32);
    check_long_run<double>(random, ElementType::f64);
  });
}
