// Folds of boolean rows shorter than a word, whole registers at a time: results appear at the last bits of rows, of which each
// place of a register has one in as many registers as the odd factor of the width says (modular_permutation.h).
#pragma once

#include <array>
#include <bit>

#include "primitives/kernels/booleans/bool_rows.h"
#include "primitives/kernels/booleans/row_places.h"

namespace griddle::kernels {

// Gives by width how many rows are worth it: those that fill little of the lanes that could hold one each, or have none.
inline constexpr auto fewest_short_rows = [] {
  constexpr std::size_t never = ~std::size_t{0};
  std::array<std::size_t, 64> fewest = {};
  for (std::size_t columns = 0; columns < 64; columns++) {
    fewest[columns] = never;
    if (columns < 2 || std::has_single_bit(columns) || columns % 16 == 0) continue;
    const std::size_t lane = rows_fit(columns, 16) ? 16 : rows_fit(columns, 32) ? 32 : 64;
    const bool is_odd = columns % 2 == 1, fills_little = is_odd ? 3 * columns < 2 * lane : 2 * columns < lane;
    if (!rows_fit(columns, lane))
      fewest[columns] = 64;
    else if (fills_little)
      fewest[columns] = columns <= 16 ? 1024 : 2048;
  }
  return fewest;
}();

// Folds leading rows, by any function but the last two, and gives their number, a multiple of 64 or all of them.
std::size_t fold_short_bool_rows(RowFunction, std::uint64_t* out, const std::uint64_t* bits, std::size_t columns,
                                 std::size_t rows);

// Takes one bit of each of leading rows of 2 to 63 bits, and gives their number, a multiple of 64 or all of them.
std::size_t take_short_bool_column(std::uint64_t* out, const std::uint64_t* bits, std::size_t columns, std::size_t rows,
                                   std::size_t column);

}  // namespace griddle::kernels
