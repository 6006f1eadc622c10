// Counts the 1s in each column of a table of packed bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace griddle::kernels {

// Gives how many bits are counted as one wide row: so many rows that these are whole bytes, and at least 32 of them.
constexpr std::size_t counted_places(std::size_t columns) {
  constexpr std::size_t bits = 256;
  const std::size_t row = std::lcm(columns, std::size_t{8});
  return row < bits ? std::lcm(row, bits) : row;
}

// Of wider rows 8 must divide the columns.
inline constexpr std::size_t most_columns_counted = 4096;

// Writes counts of columns to the first `columns` of counted_places(columns) elements; there are at most 2^31-1 rows.
void count_columns(std::int32_t* counts, const std::uint64_t* bits, std::size_t rows, std::size_t columns);

// Writes the counts of at most so many rows as bytes, where there are few bits; false
// where it does not.
inline constexpr std::size_t most_rows_in_bytes = 127, most_bits_to_bytes = 16384;
bool count_to_bytes(std::uint8_t* counts, const std::uint64_t* bits, std::size_t rows, std::size_t columns);

}  // namespace griddle::kernels
