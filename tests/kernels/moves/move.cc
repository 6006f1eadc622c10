#include "primitives/kernels/moves/move.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

template <class T>
void check(Random& random, std::size_t n, std::size_t offset) {
  const unsigned width = 8 * sizeof(T);
  const Elements<T> from(random, n, offset, false);
  Guarded<T> reversed(n, offset), filled(n, offset), counted(n, offset);
  if (offset % 2 == 0)
    reverse(width, reversed.start(), from.start, n);
  else
    reversal(static_cast<unsigned>(std::countr_zero(width)))(reversed.start(), from.start, n);
  std::uint64_t element = 0;
  const T value = random.number<T>(true);
  std::memcpy(&element, &value, sizeof value);
  fill(width, filled.start(), element, n);
  const bool counts = n == 0 || static_cast<double>(static_cast<T>(n - 1)) == static_cast<double>(n - 1);
  if (counts) count_up(width, counted.start(), n);
  CHECK(reversed.kept_outside(n));
  Guarded<T> same_place(n, offset);
  std::memcpy(same_place.start(), from.start, n * sizeof(T));
  reverse(width, same_place.start(), same_place.start(), n);
  CHECK(same_place.kept_outside(n));
  CHECK(std::memcmp(same_place.start(), reversed.start(), n * sizeof(T)) == 0);
  CHECK(filled.kept_outside(n));
  CHECK(counted.kept_outside(counts ? n : 0));
  bool right = true;
  for (std::size_t i = 0; i < n; i++) {
    right &= std::memcmp(reversed.start() + i, from.start + n - 1 - i, sizeof(T)) == 0 && filled.start()[i] == value;
    right &= !counts || counted.start()[i] == static_cast<T>(i);
  }
  CHECK(right);
}

}  // namespace

TEST_CASE("rows are reversed, on every target") {
  on_every_target([] {
    Random random;
    const auto check_rows = [&]<class T>(T, std::size_t length, std::size_t rows) {
      const Elements<T> from(random, length * rows, 1, false);
      Guarded<T> reversed(length * rows, 1);
      reverse_rows(8 * sizeof(T), reversed.start(), from.start, length, rows);
      CHECK(reversed.kept_outside(length * rows));
      bool right = true;
      for (std::size_t i = 0; i < length * rows; i++) {
        const T* expected = from.start + i / length * length + length - 1 - i % length;
        right &= std::memcmp(reversed.start() + i, expected, sizeof(T)) == 0;
      }
      CHECK(right);
    };
    for (std::size_t length = 1; length <= 40; length++)
      for (std::size_t rows : {1, 2, 3, 7, 50}) {
        check_rows(std::int8_t{}, length, rows);
        check_rows(std::int16_t{}, length, rows);
        check_rows(std::int32_t{}, length, rows);
        check_rows(double{}, length, rows);
      }
  });
}

TEST_CASE("runs are reversed, filled and counted, on every target") {
  on_every_target([] {
    Random random;
    for_lengths([&](std::size_t n) {
      for (std::size_t offset : {0, 1, 5}) {
        check<std::int8_t>(random, n, offset);
        check<std::int16_t>(random, n, offset);
        check<std::int32_t>(random, n, offset);
        check<double>(random, n, offset);
      }
    });
  });
}

TEST_CASE("long runs are filled, on every target") {
  on_every_target([] {
    const auto check_fill = [&]<class T>(T element, std::size_t n, std::size_t offset) {
      Guarded<T> filled(n, offset);
      std::uint64_t bits = 0;
      std::memcpy(&bits, &element, sizeof element);
      fill(8 * sizeof(T), filled.start(), bits, n);
      CHECK(filled.kept_outside(n));
      CHECK(std::count(filled.start(), filled.start() + n, element) == static_cast<std::ptrdiff_t>(n));
    };
    for (std::size_t bytes : {std::size_t{4096}, (std::size_t{1} << 20) - 8, std::size_t{1} << 20, (std::size_t{1} << 20) + 88})
      for (std::size_t offset : {0, 1, 5}) {
        check_fill(std::int8_t{-77}, bytes, offset);
        check_fill(std::int16_t{-12345}, bytes / 2, offset);
        check_fill(std::int32_t{-123456789}, bytes / 4, offset);
        check_fill(-1.234, bytes / 8, offset);
      }
  });
}

TEST_CASE("bytes are copied between any places, on every target") {
  on_every_target([] {
    Random random;
    const auto check_copy = [&](std::size_t n, std::size_t from_offset, std::size_t to_offset) {
      const Elements<std::uint8_t> from(random, n, from_offset, false);
      Guarded<std::uint8_t> to(n, to_offset);
      copy_bytes(to.start(), from.start, n);
      CHECK(std::memcmp(to.start(), from.start, n) == 0);
      CHECK(to.kept_outside(n));
    };
    for_lengths([&](std::size_t n) {
      for (std::size_t offset : {0, 1, 31, 63}) check_copy(n, 1, offset);
    });
    for (std::size_t n : {63, 64, 65, 127, 128, 129, 300, 1023, 1024, 4000, 20000, 20001, 70000, 600000})
      for (std::size_t offset = 0; offset < 64; offset += 7)
        for (std::size_t from_offset : {0, 3}) check_copy(n, from_offset, offset);
  });
}

TEST_CASE("runs of bits are copied and reversed between any places, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t n : {1, 64, 511, 512, 513, 577, 1023, 1024, 1100, 1600, 3000, 5000})
      for (std::size_t from_at : {0, 1, 63, 64, 200})
        for (std::size_t to_at : {0, 5, 128}) {
          const Elements<std::uint64_t> from(random, (from_at + n + 63) / 64, 0, false);
          const std::size_t words = (to_at + n + 63) / 64;
          Guarded<std::uint64_t> copied(words, 0), reversed(words, 0);
          copy_bits(copied.start(), to_at, from.start, from_at, n);
          reverse_bits(reversed.start(), to_at, from.start, from_at, n);
          bool right = true;
          for (std::size_t i = 0; i < n; i++) {
            right &= bit_of(copied.start(), to_at + i) == bit_of(from.start, from_at + i);
            right &= bit_of(reversed.start(), to_at + i) == bit_of(from.start, from_at + n - 1 - i);
          }
          INFO(n, " bits from ", from_at, " to ", to_at);
          CHECK(right);
          CHECK(copied.kept_outside(words));
          CHECK(reversed.kept_outside(words));
        }
  });
}

TEST_CASE("lists of bits are rotated and reversed as a whole, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t n : {2, 63, 64, 65, 128, 200, 640, 1000, 1023, 1024, 1025, 3000}) {
      const std::size_t words = (n + 63) / 64;
      const Elements<std::uint64_t> from(random, words, 0, false);
      for (std::size_t first = 1; first < n; first += n < 130 ? 1 : 29) {
        Guarded<std::uint64_t> rotated(words, 0), reversed(words, 0);
        rotate_bits(rotated.start(), from.start, n, first);
        reversal(0)(reversed.start(), from.start, n);
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          right &= bit_of(rotated.start(), i) == bit_of(from.start, (i + first) % n);
          right &= bit_of(reversed.start(), i) == bit_of(from.start, n - 1 - i);
        }
        INFO(n, " bits by ", first);
        CHECK(right);
        CHECK(rotated.kept_outside(words));
        CHECK(reversed.kept_outside(words));
      }
    }
  });
}
