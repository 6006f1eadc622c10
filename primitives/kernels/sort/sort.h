// Sorting of keys: counting for small ranges, networks and partition in vectors or radix passes for the rest. Keys are unsigned
// and ascend; `down` orders them the other way. Equal keys keep their order in a grade.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Writes keys of the elements' width that order as the elements do, or the other way: all but bits and boxes.
// Both may be the same memory.
void order_keys(ElementType type, const void* x, std::size_t n, void* keys, bool down);
// Writes the elements again that `order_keys` made keys of.
void elements_of_keys(ElementType type, const void* keys, std::size_t n, void* x, bool down);

// Tells how many bits the key of a cell of elements of one type needs.
std::size_t cell_key_bits(ElementType type, std::size_t cell);
// Writes keys that order as cells of `cell` elements do; they need at most 32 or 64 bits.
void order_keys_of_cells(ElementType type, const void* x, std::size_t cells, std::size_t cell, std::uint32_t* keys);
void order_keys_of_cells(ElementType type, const void* x, std::size_t cells, std::size_t cell, std::uint64_t* keys);

// Sorts elements of an integer or character type, which lie in [low, low + range). `counts` has room for `range` numbers.
void sort_by_counting(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts,
                      void* out, bool down);
// Sorts elements of a 16-bit type that lie in [low, low + range), through as many counts of 16 bits; false, and nothing written,
// where one comes more than 65535 times. `out` may be x.
bool sort_dense(const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint16_t* counts, void* out, bool down);
// Gives their places in order; `counts` has room for `counts_beyond` numbers more than `range`.
inline constexpr std::size_t counts_beyond = 64;
void grade_by_counting(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, std::uint32_t* counts,
                       std::uint32_t* places, bool down);

// The same for a type of 8 bits, with places of i8, i16 or i32. False, and nothing written, where the other one is as fast.
bool grade_bytes(ElementType type, const void* x, std::size_t n, ElementType place_type, void* places, bool down);

// Counts of so many keys stay in the nearest cache.
inline constexpr std::size_t few_graded_keys = 1 << 13;

// Gives the places of up to so many elements of a 16-bit type in order. `room` holds n numbers.
inline constexpr std::size_t most_graded_by_bytes = std::size_t{1} << 24;
void grade_by_bytes(ElementType type, const void* x, std::size_t n, std::uint32_t* room, std::uint32_t* places, bool down);
// Gives the places of n elements that are low, low + 1, ... in some order; false where they are not. All lie in [low, low + n).
bool grade_permutation(ElementType type, const void* x, std::size_t n, std::int64_t low, std::uint32_t* places, bool down);

// Tells whether the target has a fast way to bring chosen lanes of a vector together: AVX3_DL.
bool sorts_in_vectors();
// Tells whether sort_in_vectors sorts n keys of a width. For up to 1024 of them it needs no room.
bool sorts_in_vectors(unsigned width, std::size_t n);
// Sorts keys there by networks in registers and by partition. With AVX2 networks alone sort few keys of up to 32 bits; false,
// and nothing done, elsewhere. `room` holds n keys.
bool sort_in_vectors(std::uint8_t* keys, std::uint8_t* room, std::size_t n);
bool sort_in_vectors(std::uint16_t* keys, std::uint16_t* room, std::size_t n);
bool sort_in_vectors(std::uint32_t* keys, std::uint32_t* room, std::size_t n);
bool sort_in_vectors(std::uint64_t* keys, std::uint64_t* room, std::size_t n);

// Gives the places of integers or characters, which lie in [low, low + range), or of the keys of doubles, in order, as numbers
// of `place_type`: i8, i16 or i32. `room` holds 16 × n bytes. Always true where `sorts_in_vectors`. Where only few keys of 32
// bits are sorted so, n must be as few; false, and nothing said, for doubles, and where many agree in what such keys hold of
// them.
bool grade_in_vectors(ElementType type, const void* x, std::size_t n, std::int64_t low, std::size_t range, void* room,
                      ElementType place_type, void* places, bool down);

// Sorts keys in vectors or by radix passes. `other` has room for n keys; the result is in whichever of the two it gives.
std::uint8_t* sort_radix(std::uint8_t* keys, std::uint8_t* other, std::size_t n);
std::uint16_t* sort_radix(std::uint16_t* keys, std::uint16_t* other, std::size_t n);
std::uint32_t* sort_radix(std::uint32_t* keys, std::uint32_t* other, std::size_t n);
std::uint64_t* sort_radix(std::uint64_t* keys, std::uint64_t* other, std::size_t n);

// Gives the places of keys in order. `room` holds 2 × n numbers. Keys of 64 bits whose leading bits agree are put in order by
// comparison.
void grade_radix(const std::uint32_t* keys, std::size_t n, std::uint64_t* room, std::uint32_t* places, bool down);
void grade_radix(const std::uint64_t* keys, std::size_t n, std::uint64_t* room, std::uint32_t* places, bool down);

}  // namespace griddle::kernels
