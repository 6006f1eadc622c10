#include "primitives/kernels/booleans/bit_rows.h"

#include <algorithm>

#include "primitives/kernels/shared/bit_runs.h"
#include "tests/support/kernel_cases.h"

using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// A table of bits that begins anywhere in a word, and room for rows written from any bit on.
struct BitTable {
  static constexpr std::size_t rows = 37;
  std::size_t n, at, to_at;
  std::vector<std::uint64_t> from, out;

  BitTable(Random& random, std::size_t bits)
      : n(bits), at(bits * 7 % 61), to_at(bits * 5 % 59), from((rows * bits + at + 63) / 64), out(2 * (from.size() + 1)) {
    for (auto* words : {&from, &out})
      for (std::uint64_t& word : *words)
        word = std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next();
  }

  // Checks that write(to) changes what bit(i, k) tells of bit k of row i, for `count` rows, and no more.
  template <class Write, class Bit>
  void check(std::size_t count, Write write, Bit bit) const {
    std::vector<std::uint64_t> expected = out, written = out;
    for (std::size_t i = 0; i < count * n; i++) write_bit(expected.data(), to_at + i, bit(i / n, i % n));
    write(written.data());
    CHECK(written == expected);
  }
  bool bit(std::size_t row, std::size_t k) const { return read_bit(from.data(), at + row * n + k); }
};

}  // namespace

TEST_CASE("rows of bits are written one behind the other, and all around them stays, on every target") {
  on_every_target([] {
    Random random;
    for (const std::size_t n : {1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300, 511}) {
      INFO("rows of ", n);
      const BitTable t(random, n);
      const std::uint64_t* const from = t.from.data();
      const auto step = static_cast<std::ptrdiff_t>(n);
      t.check(
          t.rows, [&](auto* to) { copy_bit_rows(to, t.to_at, from, t.at, step, n, t.rows, 1); },
          [&](std::size_t i, std::size_t k) { return t.bit(i, k); });
      t.check(
          t.rows, [&](auto* to) { copy_bit_rows(to, t.to_at, from, t.at, 2 * step, n, 18, 2); },
          [&](std::size_t i, std::size_t k) {
            return i < 36 ? t.bit(i / 2 * 2, k) : read_bit(t.out.data(), t.to_at + i * n + k);
          });
      t.check(
          t.rows, [&](auto* to) { reverse_bit_rows(to, t.to_at, from, t.at + (t.rows - 1) * n, -step, n, t.rows); },
          [&](std::size_t i, std::size_t k) { return t.bit(t.rows - 1 - i, n - 1 - k); });
      for (const std::size_t first : {std::size_t{0}, std::size_t{1}, n / 2, n - 1})
        t.check(
            t.rows, [&](auto* to) { rotate_bit_rows(to, t.to_at, from, t.at, n, std::min(first, n - 1), t.rows); },
            [&](std::size_t i, std::size_t k) { return t.bit(i, (k + std::min(first, n - 1)) % n); });
      std::vector<std::int32_t> numbers;
      for (std::size_t i = 0; i < t.rows; i++) numbers.push_back(static_cast<std::int32_t>(i * 11 % t.rows));
      t.check(
          t.rows, [&](auto* to) { select_bit_rows(to, t.to_at, from, t.at, n, numbers.data(), t.rows); },
          [&](std::size_t i, std::size_t k) { return t.bit(static_cast<std::size_t>(numbers[i]), k); });
    }
  });
}

TEST_CASE("rows of bits are kept by a mask, and spread to bytes and collected again, on every target") {
  on_every_target([] {
    Random random;
    for (const std::size_t n : {1, 3, 7, 8, 20, 64, 65, 200}) {
      BitTable t(random, n);
      t.at = t.to_at = 0;
      const std::uint64_t mask = 0x0F'5A00'FF13;
      std::vector<std::size_t> kept;
      for (std::size_t i = 0; i < t.rows; i++)
        if ((mask >> i & 1) != 0) kept.push_back(i);
      t.check(
          kept.size(), [&](auto* to) { keep_bit_rows(to, t.from.data(), n, &mask, t.rows); },
          [&](std::size_t i, std::size_t k) { return t.bit(kept[i], k); });
      t.to_at = 13;
      std::uint8_t bytes[t.rows + 8] = {};
      if (n > 8 || !spread_bit_rows(bytes, t.from.data(), 0, n, t.rows)) continue;
      for (std::size_t i = 0; i < t.rows; i++) CHECK(bytes[i] == read_bits(t.from.data(), i * n, n));
      t.check(
          t.rows, [&](auto* to) { collect_bit_rows(to, t.to_at, bytes, n, t.rows); },
          [&](std::size_t i, std::size_t k) { return t.bit(i, k); });
    }
  });
}
