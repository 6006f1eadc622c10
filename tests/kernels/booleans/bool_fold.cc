#include "primitives/kernels/booleans/bool_fold.h"

#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/bool_scan.h"
#include "primitives/kernels/folds/scan.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

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
      if (fits) bit_sums().sums[lane_i8](small.start(), bits.start, n, 0);
      bit_sums().sums[lane_i16](middle.start(), bits.start, n, 0);
      Guarded<std::int16_t> less(n, 1);
      bit_sums().differences[lane_i16](less.start(), bits.start, n, 7);
      bit_sums().sums[lane_i32](large.start(), bits.start, n, 0);
      bool right = true;
      for (std::size_t i = 0; i < n; i++) {
        count += bit_of(bits.start, i);
        flipped += bit_of(bits.start, i) != (i % 2 == 1);
        right &= bit_of(parity.start(), i) == (count % 2 == 1) && middle.start()[i] == static_cast<int>(count) &&
                 less.start()[i] == 7 - static_cast<int>(count) && large.start()[i] == static_cast<int>(count) &&
                 (!fits || small.start()[i] == static_cast<int>(count));
      }
      CHECK(right);
      CHECK(bool_fold().count(bits.start, n, 0) == count);
      CHECK(bool_fold().count(bits.start, n, 0xAAAAAAAAAAAAAAAA) == flipped);
      CHECK(bool_fold().exclusive_or(bits.start, n) == (count % 2 == 1));
      CHECK(parity.kept_outside(words));
      CHECK(middle.kept_outside(n));
      CHECK(less.kept_outside(n));
      CHECK(large.kept_outside(n));
    });
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
    std::vector<std::size_t> widths = {67,  90,  97,  100, 120, 121, 127,  128,  129, 191,
                                       192, 193, 200, 256, 300, 640, 1000, 4096, 4500};
    for (std::size_t columns = 1; columns <= 66; columns++) widths.push_back(columns);
    for (std::size_t columns : widths)
      for (std::size_t rows : {1, 2, 3, 20, 21, 22, 63, 64, 65, 129, 500, 820, 2120}) {
        if ((columns > 300 && rows > 65) || (columns > 66 && rows > 500)) continue;
        const std::size_t n = rows * columns, words = (n + 63) / 64, result_words = (rows + 63) / 64;
        std::vector<std::uint64_t> bits(words + 1);
        const bool rare = rows % 2 == 0, flipped = rows % 4 == 0;
        for (std::uint64_t& word : bits) {
          word = random.number<std::uint64_t>(false);
          if (rare) word &= random.number<std::uint64_t>(false) & random.number<std::uint64_t>(false);
          if (flipped) word = ~word;
        }
        // Of the most rows half are all alike but for a bit, the others are all alike.
        const bool has_uniform_rows = rows > 500;
        if (has_uniform_rows) {
          std::fill(bits.begin(), bits.end(), rows == 820 ? 0 : ~std::uint64_t{0});
          for (std::size_t r = 0; r < rows; r += 1 + random.next() % 3) {
            const std::size_t at = 64 + r * columns + random.next() % columns;
            bits[at / 64] ^= std::uint64_t{1} << at % 64;
          }
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
