// The same bytes of each row, in another order: rows of up to 64 bytes pass through registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t longest_shuffled_row = 64;  // bytes, of the source and of the result

// to[r][i] = from[r][chosen[i]] for `length` bytes i of each row, where rows of the source have `row_length` bytes. Neither is 0.
// No overlap.
void shuffle_rows(std::uint8_t* to, std::size_t length, const std::uint8_t* from, std::size_t row_length, std::size_t rows,
                  const std::uint8_t* chosen);

}  // namespace griddle::kernels
