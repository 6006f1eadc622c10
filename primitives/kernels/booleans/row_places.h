// Where rows of a packed boolean table lie, for kernels that put one row into each lane of a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace griddle::kernels {

// Tells whether each row fits a lane of so many bits together with the bits before it in its first byte.
constexpr bool rows_fit(std::size_t columns, std::size_t bits) { return columns + 8 - std::gcd(columns, std::size_t{8}) <= bits; }

// Describes for each width of rows a vector of 64 bytes, the first row beginning with a byte.
template <class T>
struct RowPlaces {
  static constexpr std::size_t most = 8 * sizeof(T), lanes = 64 / sizeof(T), rows_in_block = 16 / sizeof(T);
  // The bytes that hold each row: counted from the first row, and from the first row of the block of 16 bytes.
  std::uint8_t bytes[most + 1][64];
  std::uint8_t bytes_in_block[most + 1][64];
  // How many bits lie before the row; for 16-bit lanes the factor that moves the row to the upper end.
  T shifts[most + 1][lanes];

  constexpr RowPlaces() : bytes(), bytes_in_block(), shifts() {
    for (std::size_t columns = 1; columns <= most; columns++)
      for (std::size_t r = 0; r < lanes && rows_fit(columns, most); r++) {
        const std::size_t first = r * columns / 8, block = r / rows_in_block * rows_in_block * columns / 8;
        const std::size_t shift = r * columns % 8;
        shifts[columns][r] = static_cast<T>(sizeof(T) == 2 ? std::size_t{1} << (16 - columns - shift) : shift);
        for (std::size_t k = 0; k < sizeof(T); k++) {
          bytes[columns][r * sizeof(T) + k] = static_cast<std::uint8_t>(first + k);
          bytes_in_block[columns][r * sizeof(T) + k] = static_cast<std::uint8_t>(first + k - block);
        }
      }
  }
};
template <class T>
inline constexpr RowPlaces<T> row_places;

// Gives for rows of less than 64 bits, the first of which begins with word 0, the place in each word where a row first begins.
inline constexpr std::size_t most_word_starts = 9;
inline constexpr auto word_starts = [] {
  struct {
    std::uint64_t places[64][most_word_starts];
    constexpr const std::uint64_t* operator[](std::size_t columns) const { return places[columns]; }
  } table = {};
  for (std::size_t columns = 1; columns < 64; columns++)
    for (std::size_t k = 0; k < most_word_starts; k++) table.places[columns][k] = (columns - 64 * k % columns) % columns;
  return table;
}();

}  // namespace griddle::kernels
