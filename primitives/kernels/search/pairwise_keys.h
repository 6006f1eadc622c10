// Searches among so few keys that each is compared with all of them: nothing is prepared then.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Integers by their bits; doubles as numbers, of which NaN equals none.
enum class FewKeys : std::uint8_t { bits8, bits16, bits32, bits64, doubles };

// Places of as many keys, and what stands for none, are below 128.
inline constexpr std::size_t most_few_keys = 127;
// More of them may be looked for to mark keys.
inline constexpr std::size_t most_marked_keys = 256;

// Tell whether to compare n keys with all of a few is faster than to look them up: for places, or for marks alone.
bool are_found_by_comparing(FewKeys, std::size_t few, std::size_t n);
bool are_marked_by_comparing(FewKeys, std::size_t few, std::size_t n);

// Writes the first place of each of n keys among a few, or how many these are.
void find_among_few(FewKeys, const void* few, std::size_t count, const void* x, std::size_t n, std::uint8_t* places);
// Writes a bit for each of n keys that tells whether it is among a few.
void mark_among_few(FewKeys, const void* few, std::size_t count, const void* x, std::size_t n, std::uint64_t* marks);
// Writes the first place of each of up to `most_few_keys` keys among them all; and where that is its own, into two words.
void first_of_few(FewKeys, const void* x, std::size_t n, std::uint8_t* places);
void mark_first_of_few(FewKeys, const void* x, std::size_t n, std::uint64_t marks[2]);

}  // namespace griddle::kernels
