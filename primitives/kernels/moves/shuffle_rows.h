// The same bytes of each row, in another order: rows of up to 64 bytes pass through registers. One column of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace griddle::kernels {

inline constexpr std::size_t longest_shuffled_row = 64;  // bytes, of the source and of the result

// Which bytes of a row are taken, element by element.
struct ChosenBytes {
  std::uint8_t places[longest_shuffled_row + 8];
  std::size_t length = 0;
  // Appends an element of 1 to 8 bytes. What is written beyond them, the next one sets right.
  void append(std::size_t element, std::size_t bytes) {
    const std::uint64_t eight = 0x0706050403020100 + element * bytes * 0x0101010101010101;
    std::memcpy(places + length, &eight, sizeof eight);
    length += bytes;
  }
};

// to[r][i] = from[r][chosen[i]] for `length` bytes i of each row, where rows of the source have `row_length` bytes. Neither is 0.
// `chosen` may be read as far as the longest row would. No overlap.
void shuffle_rows(std::uint8_t* to, std::size_t length, const std::uint8_t* from, std::size_t row_length, std::size_t rows,
                  const std::uint8_t* chosen);

// to[r] = from[r][column] for elements of 8, 16, 32 or 64 bits. No overlap.
void take_column(unsigned width, void* to, const void* from, std::size_t rows, std::size_t row_length, std::size_t column);

}  // namespace griddle::kernels
