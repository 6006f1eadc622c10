#include "primitives/kernels/moves/shuffle_rows.h"

#include "primitives/kernels/moves/move.h"
#include "primitives/kernels/moves/select.h"
#include "tests/support/kernel_cases.h"

using namespace griddle;
using namespace griddle::kernels;
using namespace griddle::testing;

TEST_CASE("bytes of rows are put in any order, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t row_length = 1; row_length <= longest_shuffled_row; row_length++)
      for (std::size_t length : {1, 2, 3, 5, 8, 13, 16, 17, 24, 31, 32, 33, 48, 63, 64})
        for (std::size_t rows : {0, 1, 2, 3, 7, 20, 67})
          for (const bool near : {false, true}) {
            INFO(rows, " rows of ", row_length, " to ", length, " bytes, near each other: ", near);
            const Elements<std::uint8_t> from(random, rows * row_length, 3, false);
            std::uint8_t chosen[longest_shuffled_row];
            for (std::size_t i = 0; i < length; i++)
              chosen[i] = static_cast<std::uint8_t>(near ? (row_length - 1) - i % row_length : random.next() % row_length);
            Guarded<std::uint8_t> out(rows * length, 5);
            shuffle_rows(out.start(), length, from.start, row_length, rows, chosen);
            bool as_wanted = true;
            for (std::size_t r = 0; r < rows; r++)
              for (std::size_t i = 0; i < length; i++)
                as_wanted &= out.start()[r * length + i] == from.start[r * row_length + chosen[i]];
            CHECK(as_wanted);
            CHECK(out.kept_outside(rows * length));
          }
  });
}

namespace {

template <class T>
void check_columns(Random& random, std::size_t rows, std::size_t row_length, std::size_t count) {
  INFO(rows, " rows, ", count, " of ", row_length, " columns of ", sizeof(T), " bytes");
  const Elements<T> from(random, rows * row_length, 1, false);
  std::vector<std::size_t> chosen(count);
  for (std::size_t& c : chosen) c = random.next() % row_length;
  Guarded<T> out(rows * count, 1), reversed(rows * row_length, 1);
  select_columns(8 * sizeof(T), out.start(), from.start, rows, row_length, chosen.data(), count);
  reverse_rows(8 * sizeof(T), reversed.start(), from.start, row_length, rows);
  bool as_wanted = true;
  for (std::size_t r = 0; r < rows; r++) {
    for (std::size_t i = 0; i < count; i++) as_wanted &= out.start()[r * count + i] == from.start[r * row_length + chosen[i]];
    for (std::size_t i = 0; i < row_length; i++)
      as_wanted &= reversed.start()[r * row_length + i] == from.start[(r + 1) * row_length - 1 - i];
  }
  CHECK(as_wanted);
  CHECK(out.kept_outside(rows * count));
  CHECK(reversed.kept_outside(rows * row_length));
}

}  // namespace

TEST_CASE("columns are selected and rows reversed, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t rows : {1, 3, 4, 31, 32, 50})
      for (std::size_t row_length : {1, 2, 3, 7, 8, 9, 16, 17, 33, 64, 65, 100})
        for (std::size_t count : {1, 2, 3, 6, 7, 8, 16, 40, 64, 65}) {
          check_columns<std::uint8_t>(random, rows, row_length, count);
          check_columns<std::uint16_t>(random, rows, row_length, count);
          check_columns<std::uint32_t>(random, rows, row_length, count);
          check_columns<std::uint64_t>(random, rows, row_length, count);
        }
  });
}

TEST_CASE("one column is taken of rows of every short length, on every target") {
  on_every_target([] {
    Random random;
    for (std::size_t rows : {1, 2, 16, 17, 33, 64, 65, 128, 129, 300})
      for (std::size_t row_length = 1; row_length <= 20; row_length++)
        for (std::size_t round = 0; round < 3; round++) {
          check_columns<std::uint8_t>(random, rows, row_length, 1);
          check_columns<std::uint16_t>(random, rows, row_length, 1);
          check_columns<std::uint32_t>(random, rows, row_length, 1);
          check_columns<std::uint64_t>(random, rows, row_length, 1);
        }
  });
}
