#include "primitives/kernels/booleans/alternating_scan.h"
#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/row_bits.h"
#include "primitives/kernels/booleans/short_bool_rows.h"
#include "primitives/kernels/folds/scan.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

namespace {

// Calls check(bits, columns, n) for tables of few and of many 1s.
template <class Check>
void for_bool_tables(Check check) {
  Random random;
  std::vector<std::size_t> widths = {66, 95, 100, 127, 128, 129, 191, 192, 200, 333, 512, 640, 1000, 4500};
  for (std::size_t columns = 1; columns <= 65; columns++) widths.push_back(columns);
  for (std::size_t columns : widths)
    for (std::size_t rows : {1, 2, 3, 9, 64, 130, 700}) {
      if (columns > 66 && rows > 130) continue;
      const std::size_t n = rows * columns;
      std::vector<std::uint64_t> bits((n + 63) / 64);
      for (std::uint64_t& word : bits) {
        word = random.number<std::uint64_t>(false);
        if (rows % 3 != 0) word |= random.number<std::uint64_t>(false) | random.number<std::uint64_t>(false);
      }
      INFO("columns ", columns, " rows ", rows);
      check(bits.data(), columns, n);
    }
}

}  // namespace

TEST_CASE("tables of bits are flipped and kept at the same places of rows") {
  on_every_target([] {
    for_bool_tables([](const std::uint64_t* bits, std::size_t columns, std::size_t n) {
      const std::size_t words = (n + 63) / 64;
      const auto is_at = [=](RowBits kind, std::size_t i) {
        const std::size_t row = i / columns, place = i % columns;
        return kind == RowBits::first_places ? place == 0 : (kind == RowBits::odd_places ? place : row) % 2 == 1;
      };
      for (RowBits kind : {RowBits::first_places, RowBits::odd_places, RowBits::odd_rows}) {
        Guarded<std::uint64_t> flipped(words, 0), kept(words, 0);
        row_bits().flip(kind, flipped.start(), bits, columns, n);
        row_bits().keep(kind, kept.start(), bits, columns, n);
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          const bool bit = bit_of(bits, i), at = is_at(kind, i);
          right &= bit_of(flipped.start(), i) == (bit != at) && bit_of(kept.start(), i) == (bit && at);
        }
        CHECK(right);
        CHECK(flipped.kept_outside(words));
        CHECK(kept.kept_outside(words));
      }
    });
  });
}

TEST_CASE("one column of short rows of bits is taken, on every target") {
  on_every_target([] {
    for_bool_tables([](const std::uint64_t* bits, std::size_t columns, std::size_t n) {
      if (columns < 2 || columns > 63) return;
      const std::size_t rows = n / columns, words = (rows + 63) / 64;
      for (std::size_t column : {std::size_t{0}, columns / 2, columns - 1}) {
        Guarded<std::uint64_t> out(words, 0);
        const std::size_t done = take_short_bool_column(out.start(), bits, columns, rows, column);
        CHECK((done == rows || done % 64 == 0));
        // Of rows that fill several groups, all whole groups are taken where there is a way at all.
        if (rows >= 512 && columns % 16 != 0) CHECK(done >= 512);
        bool right = true;
        for (std::size_t r = 0; r < done; r++) right &= bit_of(out.start(), r) == bit_of(bits, r * columns + column);
        CHECK(right);
        CHECK(out.kept_outside(words));
      }
    });
  });
}

TEST_CASE("words take bits of one of two lists of words that repeat, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t period : {1, 3, 7, 64})
      for (std::size_t n : {1, 2, 4, 7, 33, 200}) {
        std::vector<std::uint64_t> zero(period), differ(period), bits(n);
        for (auto* list : {&zero, &differ, &bits})
          for (std::uint64_t& word : *list) word = random.number<std::uint64_t>(false);
        Guarded<std::uint64_t> out(n, 0);
        std::copy(bits.begin(), bits.end(), out.start());
        row_bits().choose(out.start(), n, zero.data(), differ.data(), period);
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          const std::uint64_t one = zero[i % period] ^ differ[i % period];
          right &= out.start()[i] == ((bits[i] & one) | (~bits[i] & zero[i % period]));
        }
        CHECK(right);
        CHECK(out.kept_outside(n));
      }
  });
}

TEST_CASE("running < and ≤ of tables of bits, along rows and down columns") {
  on_every_target([] {
    for_bool_tables([](const std::uint64_t* bits, std::size_t columns, std::size_t n) {
      const std::size_t words = (n + 63) / 64;
      const auto check = [&](BoolScanBy scan, bool along, bool or_equal) {
        Guarded<std::uint64_t> out(words, 0);
        scan(columns, out.start(), bits, n);
        bool right = true;
        for (std::size_t i = 0; i < n; i++) {
          const bool bit = bit_of(bits, i), first = along ? i % columns == 0 : i < columns;
          const bool before = !first && bit_of(out.start(), along ? i - 1 : i - columns);
          right &= bit_of(out.start(), i) == (first ? bit : or_equal ? !before || bit : !before && bit);
        }
        CHECK(right);
        CHECK(out.kept_outside(words));
        std::vector<std::uint64_t> in_place(bits, bits + words);
        scan(columns, in_place.data(), in_place.data(), n);
        bool same = true;
        for (std::size_t i = 0; i < n; i++) same &= bit_of(in_place.data(), i) == bit_of(out.start(), i);
        CHECK(same);
      };
      const AlternatingScanKernels& k = alternating_scan();
      check(k.less_in_rows, true, false);
      check(k.less_equal_in_rows, true, true);
      check(k.less_by, false, false);
      check(k.less_equal_by, false, true);
    });
  });
}

TEST_CASE("running sums and differences, and differences, of short rows of bits") {
  on_every_target([] {
    for_bool_tables([](const std::uint64_t* bits, std::size_t columns, std::size_t n) {
      const BitSumKernels& k = bit_sums();
      if (k.row_sums == nullptr || columns > 64) return;
      Guarded<std::int8_t> sums(n, 0), differences(n, 0), folded(n / columns, 0);
      k.row_sums(sums.start(), bits, columns, n);
      k.row_differences(differences.start(), bits, columns, n);
      bool_rows().difference_i8(folded.start(), bits, columns, n / columns);
      bool right = true;
      int sum = 0, difference = 0, fold = 0;
      for (std::size_t i = 0; i < n; i++) {
        const int bit = bit_of(bits, i);
        const std::size_t place = i % columns;
        sum = place == 0 ? bit : sum + bit;
        difference = place == 0 ? bit : difference - bit;
        fold = place == 0 ? bit : place % 2 == 0 ? fold + bit : fold - bit;
        right &= sums.start()[i] == sum && differences.start()[i] == difference;
        if (place + 1 == columns) right &= folded.start()[i / columns] == fold;
      }
      CHECK(right);
      CHECK(sums.kept_outside(n));
      CHECK(differences.kept_outside(n));
      CHECK(folded.kept_outside(n / columns));
    });
  });
}
