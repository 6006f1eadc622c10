// Find: where a pattern begins in a row of keys or bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Writes a bit for each of `count` places of x, from bit `at` on, that tells whether the m > 0 keys of w begin there.
// x has count + m - 1 keys. Bits outside stay as they are. The work grows with m where many places match a long way.
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
