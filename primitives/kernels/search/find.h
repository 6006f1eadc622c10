// Find: where a pattern begins in a row of keys or bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Longer patterns are better found in another way: the work grows with the length where many places match a long way.
inline constexpr std::size_t most_found_keys = 64;

// Writes a bit for each of `count` places of x, from bit `at` on, that tells whether the m keys of w begin there; 0 < m <=
// most_found_keys. x has count + m - 1 keys. Bits outside stay as they are.
void find_keys(const std::uint8_t* w, std::size_t m, const std::uint8_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at);
void find_keys(const std::uint16_t* w, std::size_t m, const std::uint16_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at);
void find_keys(const std::uint32_t* w, std::size_t m, const std::uint32_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at);
void find_keys(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t count, std::uint64_t* out,
               std::size_t at);

// The same for bits: the row starts at bit `from` of x.
void find_bits(const std::uint64_t* w, std::size_t m, const std::uint64_t* x, std::size_t from, std::size_t count,
               std::uint64_t* out, std::size_t at);

}  // namespace griddle::kernels
