// Rows of packed bits, which begin anywhere in a word, written one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Longer rows are better moved alone, by copy_bits().
inline constexpr std::size_t longest_bit_row = 511;

// All write rows of n bits, 1 to longest_bit_row, from bit `to_at` on, and leave the bits before and behind them. No overlap.

// Each of `rows` rows, the first at bit `at` and the next ones `step` bits after the one before, `times` times, at least once.
void copy_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::ptrdiff_t step,
                   std::size_t n, std::size_t rows, std::size_t times);

// The same for each row once, its last bit first.
void reverse_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::ptrdiff_t step,
                      std::size_t n, std::size_t rows);

// Each of `rows` rows that lie one behind the other from bit `at` on, from its bit `first` on, and then what is before that.
void rotate_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n,
                     std::size_t first, std::size_t rows);

// The rows of those that lie one behind the other from bit `at` on, by their numbers, which are not negative.
void select_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t at, std::size_t n,
                     const std::int32_t* numbers, std::size_t rows);

// Those of `rows` such rows, from the first bit on, where a mask has a 1.
void keep_bit_rows(std::uint64_t* to, const std::uint64_t* from, std::size_t n, const std::uint64_t* mask, std::size_t rows);

// Rows of up to 8 bits as bytes, and back; `to` has room for 8 bytes more, `from` gives as many. False where there is no quick
// way.
bool spread_bit_rows(std::uint8_t* to, const std::uint64_t* from, std::size_t at, std::size_t n, std::size_t rows);
void collect_bit_rows(std::uint64_t* to, std::size_t to_at, const std::uint8_t* from, std::size_t n, std::size_t rows);

}  // namespace griddle::kernels
