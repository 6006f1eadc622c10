// Searches for one of a few keys, and bytes looked up in a table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Sets larger than this are better looked up in a table.
inline constexpr std::size_t most_few = 16;

// Writes a bit for each of n keys of `width` bits (8, 16, 32, 64) that tells whether it is one of `few` keys, at least one.
void match_few(unsigned width, const void* set, std::size_t few, const void* x, std::size_t n, std::uint64_t* out);

// Gives the first place of a key of `width` bits among n, or n.
std::size_t find_key(unsigned width, const void* keys, std::size_t n, const void* key);

// Writes a bit for each of n bytes: that of the byte in a set of 256 bits.
void match_bytes(const std::uint64_t set[4], const std::uint8_t* x, std::size_t n, std::uint64_t* out);

// Writes a bit for each of n bytes, set where none before is equal; stops where all bytes there are have come. Tells up to which
// place bits say something, there being no new byte from there on, and which bytes it has found, as a set of 256 bits. `out` may
// be null.
std::size_t mark_new_bytes(const std::uint8_t* x, std::size_t n, std::uint64_t* out, std::uint64_t found[4]);

// Lists the different ones of n ≥ 1 bytes, in the order in which they come, where they are few: gives how many, or 0 where there
// may be more than `most_distinct_bytes`, or the table that others make would be faster.
inline constexpr std::size_t most_distinct_bytes = 64;
std::size_t list_few_bytes(const std::uint8_t* x, std::size_t n, std::uint8_t out[most_distinct_bytes]);

// Writes table[x] for each byte, as 8 or 16 bits. Both may be the same memory for 8 bits.
void look_up_bytes(const std::uint8_t table[256], const std::uint8_t* x, std::size_t n, std::uint8_t* out);
void look_up_bytes(const std::uint8_t table[256], const std::uint8_t* x, std::size_t n, std::uint16_t* out);
// The same for tables of wider numbers, none of them negative.
void look_up_bytes(const std::int16_t table[256], const std::uint8_t* x, std::size_t n, std::int16_t* out);
void look_up_bytes(const std::int32_t table[256], const std::uint8_t* x, std::size_t n, std::int32_t* out);

}  // namespace griddle::kernels
