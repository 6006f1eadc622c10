#include "primitives/kernels/moves/transpose.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <vector>

#include "primitives/kernels/booleans/bit_columns.h"
#include "primitives/kernels/moves/axis_order.h"
#include "primitives/kernels/moves/copy_rows.h"
#include "primitives/kernels/moves/move.h"
#include "tests/support/kernel_cases.h"

namespace griddle::testing {
namespace {

using namespace kernels;

constexpr std::size_t sides[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130, 300};

template <class T>
void check_elements(Random& random, std::size_t rows, std::size_t columns, std::size_t gap_from, std::size_t gap_to) {
  const std::size_t from_stride = rows + gap_from, to_stride = columns + gap_to;
  // Exactly as long as the matrix, so that reading on shows in a build that checks addresses.
  const std::size_t length = (columns - 1) * from_stride + rows;
  std::vector<T> from(length);
  for (T& t : from) t = static_cast<T>(random.next() * 2654435761u);
  const std::size_t written = (rows - 1) * to_stride + columns;
  Guarded<T> to(written, 1);
  kernels::transpose(8 * sizeof(T), to.start(), static_cast<std::ptrdiff_t>(to_stride), from.data(),
                     static_cast<std::ptrdiff_t>(from_stride), rows, columns);
  REQUIRE(to.kept_outside(written));
  for (std::size_t r = 0; r < rows; r++)
    for (std::size_t c = 0; c < columns; c++) REQUIRE(to.start()[r * to_stride + c] == from[r + c * from_stride]);
}

bool bit_at(const std::vector<std::uint64_t>& words, std::size_t i) { return words[i / 64] >> (i % 64) & 1; }

void check_bits(Random& random, std::size_t rows, std::size_t columns, std::size_t gap, std::size_t start) {
  const std::size_t from_stride = rows + gap, to_stride = columns + gap;
  std::vector<std::uint64_t> from((start + columns * from_stride + 63) / 64);
  for (auto& w : from) w = std::uint64_t{random.next()} << 40 ^ std::uint64_t{random.next()} << 20 ^ random.next();
  std::vector<std::uint64_t> to((start + rows * to_stride + 63) / 64, 0xA5A5A5A5A5A5A5A5);
  const std::vector<std::uint64_t> before = to;
  transpose_bits(to.data(), start, to_stride, from.data(), start, from_stride, rows, columns);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 64 * to.size(); i++) {
    const std::size_t place = i - start, r = place / to_stride, c = place % to_stride;
    const bool within = i >= start && r < rows && c < columns;
    wrong += bit_at(to, i) != (within ? bit_at(from, start + r + c * from_stride) : bit_at(before, i));
  }
  REQUIRE(wrong == 0);
}

template <class T>
void check_reversed() {
  Random random;
  for_lengths([&](std::size_t n) {
    const Elements<T> x(random, n, 1, false);
    Guarded<T> out(n, 1);
    reverse(8 * sizeof(T), out.start(), x.start, n);
    bool right = true;
    for (std::size_t i = 0; i < n; i++) right &= out.start()[i] == x.start[n - 1 - i];
    CHECK(right);
    CHECK(out.kept_outside(n));
  });
}

}  // namespace

TEST_CASE("elements of every width are reversed") {
  on_every_target([] {
    check_reversed<std::uint8_t>();
    check_reversed<std::uint16_t>();
    check_reversed<std::uint32_t>();
    check_reversed<std::uint64_t>();
  });
}

TEST_CASE("matrices of every width and shape are transposed, and nothing beside them is touched") {
  on_every_target([] {
    Random random;
    for (const std::size_t rows : sides)
      for (const std::size_t columns : sides)
        for (const std::size_t gap : {0, 3}) {
          CAPTURE(rows);
          CAPTURE(columns);
          check_elements<std::uint8_t>(random, rows, columns, gap, 0);
          check_elements<std::uint8_t>(random, rows, columns, 0, gap);
          check_elements<std::uint16_t>(random, rows, columns, gap, gap);
          check_elements<std::uint32_t>(random, rows, columns, gap, gap);
          check_elements<std::uint64_t>(random, rows, columns, gap, gap);
        }
  });
}

TEST_CASE("matrices that are written past the caches are transposed, and nothing beside them is touched") {
  on_every_target([] {
    Random random;
    // Sides and strides at which lines of both sides meet, or not; rows that begin lines of the cache, or not.
    const auto check = [&]<class T>(T, std::size_t rows, std::size_t columns, std::size_t gap) {
      CAPTURE(rows);
      CAPTURE(columns);
      REQUIRE(rows * columns * sizeof(T) >= least_past_caches);
      const std::size_t from_stride = rows + gap, to_stride = columns + gap;
      std::vector<T> from(columns * from_stride);
      for (T& t : from) t = static_cast<T>(random.next() * 2654435761u);
      // Large blocks of memory begin 16 bytes behind a page, so that the last of these begins a line.
      for (const std::size_t start : {std::size_t{0}, std::size_t{1}, 48 / sizeof(T)}) {
        Guarded<T> to(rows * to_stride, start);
        const T untouched = *to.start();
        kernels::transpose(8 * sizeof(T), to.start(), static_cast<std::ptrdiff_t>(to_stride), from.data(),
                           static_cast<std::ptrdiff_t>(from_stride), rows, columns);
        std::size_t wrong = 0;
        for (std::size_t r = 0; r < rows; r++)
          for (std::size_t c = 0; c < to_stride; c++)
            wrong += to.start()[r * to_stride + c] != (c < columns ? from[r + c * from_stride] : untouched);
        CHECK(wrong == 0);
        CHECK(to.kept_outside(rows * to_stride));
      }
    };
    check(std::uint8_t{}, 5000, 2560, 0);
    check(std::uint8_t{}, 5200, 2500, 3);
    check(std::uint8_t{}, 4096, 3200, 0);
    check(std::uint16_t{}, 2001, 3200, 0);
    check(std::uint16_t{}, 2048, 3203, 0);
    check(std::uint32_t{}, 2601, 1300, 1);
    check(std::uint32_t{}, 3104, 1024, 0);
    check(std::uint32_t{}, 2047, 1023, 0);
    check(std::uint64_t{}, 2000, 800, 0);
    check(std::uint64_t{}, 2003, 801, 5);
    check(std::uint64_t{}, 512, 1600, 0);
    check(std::uint64_t{}, 1023, 1023, 0);
    check(std::uint64_t{}, 100000, 17, 0);
    check(std::uint64_t{}, 8, 200000, 0);
    check(std::uint64_t{}, 2003, 1601, 0);
  });
}

TEST_CASE("matrices of bits are transposed wherever they start, and nothing beside them is touched") {
  on_every_target([] {
    Random random;
    for (const std::size_t rows : sides)
      for (const std::size_t columns : sides)
        for (const std::size_t start : {0, 5}) {
          CAPTURE(rows);
          CAPTURE(columns);
          check_bits(random, rows, columns, 0, start);
          check_bits(random, rows, columns, 3, start);
        }
    for (std::size_t rows : {2, 3, 4, 5, 6, 7, 8})
      for (std::size_t columns : {511, 512, 513, 575, 576, 1000, 1024, 1025, 2100, 5000})
        for (std::size_t start : {0, 64, 192}) {
          check_bits(random, rows, columns, 0, start);
          check_bits(random, columns, rows, 0, start);
        }
    check_bits(random, 5000, 3, 0, 0);
    check_bits(random, 40, 1000, 0, 0);
  });
}

TEST_CASE("blocks are permuted, and nothing beside them is touched") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T>(T, std::size_t rows, std::size_t columns, std::size_t cell, std::size_t blocks) {
      const std::size_t block = rows * columns * cell;
      const Elements<T> x(random, block * blocks, 0, false);
      Guarded<T> to(block * blocks, 0);
      const auto step = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
      const BoxAxis axes[] = {{blocks, step(block), step(block)},
                              {columns, step(rows * cell), step(cell)},
                              {rows, step(cell), step(columns * cell)},
                              {cell, 1, 1}};
      copy_box(8 * sizeof(T), to.start(), 0, x.start, 0, axes);
      bool right = true;
      for (std::size_t i = 0; i < block * blocks; i++) {
        const std::size_t b = i / block, c = i % block / (rows * cell), r = i / cell % rows, k = i % cell;
        right &= to.start()[i] == x.start[b * block + (r * columns + c) * cell + k];
      }
      CAPTURE(block);
      CAPTURE(blocks);
      CHECK(right);
      CHECK(to.kept_outside(block * blocks));
    };
    for (std::size_t rows : {2, 3, 5, 8, 10})
      for (std::size_t columns : {2, 4, 7, 10})
        for (std::size_t cell : {1, 3, 4})
          for (std::size_t blocks : {1, 2, 7, 40, 200}) {
            check(std::uint8_t{}, rows, columns, cell, blocks);
            check(std::uint16_t{}, rows, columns, cell, blocks);
            check(std::uint32_t{}, rows, columns, cell, blocks);
            check(std::uint64_t{}, rows, columns, cell, blocks);
          }
  });
}

TEST_CASE("axes are reordered in every way") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T>(T, const std::vector<std::size_t>& lengths) {
      std::vector<std::size_t> order(lengths.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::size_t n = 1;
      for (const std::size_t length : lengths) n *= length;
      const Elements<T> x(random, n, 0, false);
      do {
        // Axis k of the source becomes axis order[k] of the target.
        std::vector<BoxAxis> axes(lengths.size());
        std::ptrdiff_t step = 1;
        for (std::size_t k = lengths.size(); k-- > 0; step *= static_cast<std::ptrdiff_t>(lengths[k]))
          axes[order[k]] = {lengths[k], 0, step};
        step = 1;
        for (std::size_t k = axes.size(); k-- > 0; step *= static_cast<std::ptrdiff_t>(axes[k].length)) axes[k].to = step;
        Guarded<T> to(n, 0);
        copy_box(8 * sizeof(T), to.start(), 0, x.start, 0, axes);
        bool right = true;
        std::vector<std::size_t> index(axes.size());
        for (std::size_t i = 0; i < n; i++) {
          std::ptrdiff_t from = 0;
          for (std::size_t k = 0; k < axes.size(); k++) from += static_cast<std::ptrdiff_t>(index[k]) * axes[k].from;
          right &= to.start()[i] == x.start[from];
          for (std::size_t k = axes.size(); k-- > 0 && ++index[k] == axes[k].length;) index[k] = 0;
        }
        CHECK(right);
        CHECK(to.kept_outside(n));
      } while (std::next_permutation(order.begin(), order.end()));
    };
    for (const auto& lengths : std::vector<std::vector<std::size_t>>{{10, 10, 10},
                                                                     {3, 9, 70},
                                                                     {2, 5, 33},
                                                                     {7, 12, 17},
                                                                     {10, 5, 5, 4},
                                                                     {4, 3, 6, 8},
                                                                     {2, 11, 2, 16},
                                                                     {3, 2, 1, 300},
                                                                     {90, 5, 5, 4},
                                                                     {400, 3, 30},
                                                                     {70, 200, 2},
                                                                     {70, 2, 41, 33},
                                                                     {5, 4, 6, 5, 8},
                                                                     {1000, 6, 6}}) {
      check(std::uint8_t{}, lengths);
      check(std::uint16_t{}, lengths);
      check(std::uint32_t{}, lengths);
      check(std::uint64_t{}, lengths);
    }
  });
}

TEST_CASE("long boxes are reordered") {
  on_every_target([] {
    Random random;
    const auto check = [&]<class T>(T, std::size_t a, std::size_t b, std::size_t c) {
      const Elements<T> x(random, a * b * c, 0, false);
      const auto step = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
      const BoxAxis of_a{a, 0, step(b * c)}, of_b{b, 0, step(c)}, of_c{c, 0, 1};
      for (auto order : {std::array{of_c, of_b, of_a}, std::array{of_b, of_c, of_a}, std::array{of_a, of_c, of_b},
                         std::array{of_c, of_a, of_b}, std::array{of_b, of_a, of_c}}) {
        order[2].to = 1, order[1].to = step(order[2].length), order[0].to = order[1].to * step(order[1].length);
        Guarded<T> to(a * b * c, 0);
        copy_box(8 * sizeof(T), to.start(), 0, x.start, 0, order);
        std::size_t wrong = 0, at = 0;
        for (std::size_t i = 0; i < order[0].length; i++)
          for (std::size_t j = 0; j < order[1].length; j++)
            for (std::size_t k = 0; k < order[2].length; k++, at++)
              wrong += to.start()[at] != x.start[step(i) * order[0].from + step(j) * order[1].from + step(k) * order[2].from];
        CHECK(wrong == 0);
        CHECK(to.kept_outside(a * b * c));
      }
    };
    check(std::uint8_t{}, 130, 90, 100);
    check(std::uint16_t{}, 33, 129, 257);
    check(std::uint32_t{}, 64, 128, 256);
    check(std::uint64_t{}, 33, 129, 257);
    check(std::uint64_t{}, 5, 3000, 80);
    check(std::uint64_t{}, 3000, 40, 10);
  });
}

TEST_CASE("boxes of bits are reordered, and nothing beside them is touched") {
  on_every_target([] {
    Random random;
    const auto step = [](std::size_t n) { return static_cast<std::ptrdiff_t>(n); };
    // Axes 1 and 2 of four change places.
    const auto check = [&](std::size_t a, std::size_t b, std::size_t c, std::size_t d, std::size_t start) {
      const std::size_t n = a * b * c * d, words = (start + n + 63) / 64;
      const Elements<std::uint64_t> x(random, words, 0, false);
      Guarded<std::uint64_t> to(words, 0);
      const std::vector<std::uint64_t> before(to.start(), to.start() + words);
      const BoxAxis axes[] = {
          {a, step(b * c * d), step(b * c * d)}, {c, step(b * d), step(d)}, {b, step(d), step(c * d)}, {d, 1, 1}};
      copy_box(1, to.start(), start, x.start, start, axes);
      bool right = true;
      for (std::size_t at = 0; at < 64 * words; at++) {
        const std::size_t i = at - start, in_row = i % d, k = i / d % b, j = i / (d * b) % c, block = i / (b * c * d);
        const bool inside = at >= start && i < n;
        right &= bit_of(to.start(), at) ==
                 (inside ? bit_of(x.start, start + ((block * b + k) * c + j) * d + in_row) : bit_of(before.data(), at));
      }
      INFO(a, " ", b, " ", c, " ", d, " from ", start);
      CHECK(right);
      CHECK(to.kept_outside(words));
    };
    for (const std::size_t start : {0, 3, 8, 64})
      for (const std::size_t d : {1, 2, 3, 4, 7, 8, 9, 16, 24, 30, 33, 64, 65, 128, 200}) {
        check(1, 20, 30, d, start);
        check(3, 17, 9, d, start);
        check(500, 5, 4, d, start);
        check(2, 3, 2, d, start);
      }
  });
}

TEST_CASE("rows of bytes are copied, and nothing beside them is touched") {
  on_every_target([] {
    Random random;
    for (std::size_t bytes : {8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 80, 127, 128, 129, 200, 500})
      for (std::size_t rows : {1, 2, 5}) {
        const std::size_t from_step = bytes + 3, to_step = bytes + 7;
        const Elements<std::uint8_t> x(random, rows * from_step, 1, false);
        Guarded<std::uint8_t> to(rows * to_step, 0);
        const std::uint8_t untouched = *to.start();
        copy_rows(to.start(), static_cast<std::ptrdiff_t>(to_step), x.start, static_cast<std::ptrdiff_t>(from_step), bytes, rows);
        bool right = true;
        for (std::size_t i = 0; i < rows * to_step; i++) {
          const std::size_t row = i / to_step, place = i % to_step;
          right &= to.start()[i] == (place < bytes ? x.start[row * from_step + place] : untouched);
        }
        CHECK(right);
        CHECK(to.kept_outside(rows * to_step));
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

TEST_CASE("one column of rows of bits is taken on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t width : {2, 3, 4, 5, 7, 8, 10, 16, 31, 32, 33, 63, 64})
      for (std::size_t rows : {1, 2, 15, 63, 64, 65, 127, 128, 200, 1023}) {
        const Elements<std::uint64_t> bits(random, (rows * width + 63) / 64, 0, false);
        const std::size_t column = random.next() % width, words = (rows + 63) / 64;
        Guarded<std::uint64_t> taken(words, 0);
        const bool done = bit_columns().take(taken.start(), bits.start, width, rows, column);
        CHECK((done || width < 8 || !std::has_single_bit(width)));
        if (!done) continue;
        bool right = true;
        for (std::size_t r = 0; r < 64 * words; r++)
          right &= bit_of(taken.start(), r) == (r < rows && bit_of(bits.start, r * width + column));
        INFO(rows, " rows of ", width);
        CHECK(right);
        CHECK(taken.kept_outside(words));
      }
  });
}

}  // namespace griddle::testing
