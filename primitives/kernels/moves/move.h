// Long runs of elements copied as they are, shifted by bits, reversed, filled, or counted. What copies, reverses and counts asks
// on the way whether the evaluation is to end, unless it writes over what it reads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

// Copies `n` bits between any places. The runs may not overlap; only words that hold bits of them are touched.
void copy_bits(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t from_at, std::size_t n);

// Writes all of n bits rotated: first those from `first` on, which is not 0 and below n, then those before. No overlap.
void rotate_bits(std::uint64_t* to, const std::uint64_t* from, std::size_t n, std::size_t first);

// Copies bytes without overlap, in the way that suits their number and the two places.
void copy_bytes(void* to, const void* from, std::size_t bytes);

// The same for one of many parts, of `whole` bytes together: they may be too many for the nearest cache where each one is not.
void copy_part(void* to, const void* from, std::size_t bytes, std::size_t whole);

// Copies bytes to a place that is 64-byte aligned without bringing it into the cache: for results beyond the last-level cache.
// Others see the bytes after finish_streaming(), which waits for all of them: once for many pieces.
void stream_bytes(void* to, const void* from, std::size_t bytes);
void finish_streaming();

// to[i] = from[n - 1 - i] for elements of 8, 16, 32 or 64 bits. They are the same place or do not overlap.
void reverse(unsigned width, void* to, const void* from, std::size_t n);

// Gives the function that does so for elements of so many bits; of bits, too, which begin at the start of a word and do not
// overlap.
using ListReversal = void (*)(void* to, const void* from, std::size_t n);
ListReversal reversal(unsigned log2_bits);

// The same for each of some rows of `length` elements, at least one.
void reverse_rows(unsigned width, void* to, const void* from, std::size_t length, std::size_t rows);

// The same for bits: the run that begins at `from_at` is written in reverse order from `to_at` on.
void reverse_bits(std::uint64_t* to, std::size_t to_at, const std::uint64_t* from, std::size_t from_at, std::size_t n);

// to[i] = the lowest `width` bits of an element, 8, 16, 32 or 64.
void fill(unsigned width, void* to, std::uint64_t element, std::size_t n);

// to[i] = i as numbers of 8, 16 or 32 bits, or as doubles.
void count_up(unsigned width, void* to, std::size_t n);

}  // namespace griddle::kernels
