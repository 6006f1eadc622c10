// Random numbers from Philox 4×32-10. Every number is a function of the key of its generator and of its place alone, so that any
// number of processors, of any kind, give the same ones. spec/system/random.md says how each is derived; here are the loops.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "runtime/value/element_type.h"

namespace griddle::kernels {

// Says where numbers come from: the key, and the four words of the counter of the first block (position is the lower two).
struct RandomPlace {
  std::uint64_t key = 0;
  std::uint64_t position = 0;
  std::uint32_t attempt = 0;
  std::uint32_t use = 0;
};

namespace philox {
constexpr int rounds = 10;
constexpr std::uint32_t multipliers[2] = {0xD2511F53, 0xCD9E8D57};
constexpr std::uint32_t key_steps[2] = {0x9E3779B9, 0xBB67AE85};
// Tells apart what the blocks of one position are used for.
constexpr std::uint32_t second_use = 1;
}  // namespace philox

// Gives the block of a place.
std::array<std::uint32_t, 4> random_block(RandomPlace);

// Gives the block of number i of those that take so many bits each, a power of 2; and the blocks that n of them take.
constexpr std::uint64_t block_of(std::uint64_t i, unsigned bits) { return i >> (7 - std::countr_zero(bits)); }
constexpr std::uint64_t blocks_for(std::uint64_t n, unsigned bits) { return n == 0 ? 0 : block_of(n - 1, bits) + 1; }

// Each writes n numbers, the first from the block of the place.
struct RandomKernels {
  void (*words)(std::uint64_t* out, RandomPlace, std::size_t n);
  void (*fractions)(double* out, RandomPlace, std::size_t n);     // multiples of 2^-53 from 0 to below 1
  void (*exponentials)(double* out, RandomPlace, std::size_t n);  // with the mean 1
  void (*normals)(double* out, RandomPlace, std::size_t n);       // with the mean 0 and the deviation 1
  // The same fractions from words that are there; see room_for_vectors.
  void (*fractions_of)(double* out, const std::uint64_t* words, std::size_t n);
  // Writes the two words of each of the blocks that a place has for its use and for the next ones. There is room for
  // uses_at_once blocks more.
  void (*uses)(std::uint64_t* out, RandomPlace, std::size_t n);
  // Replaces each shape (above 0 and finite) by a gamma-distributed number of the scale 1. Each takes a position.
  void (*gammas)(double* shapes, RandomPlace, std::size_t n);
};

inline constexpr std::size_t uses_at_once = 16;

const RandomKernels& random_numbers();

// Kernels that take words which are there, most_words_there at most, may read so many bytes behind them and write so many behind
// their numbers.
inline constexpr std::size_t room_for_vectors = 64, most_words_there = 512;

struct RandomIntegerKernels {
  // Write integers from 0 to limit - 1: limits up to 2^7 take 16 bits each; up to 2^26, 32 bits; above, 64 bits.
  void (*below_i8)(std::int8_t* out, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*below_i16)(std::int16_t* out, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*below_i32)(std::int32_t* out, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*below_i32_wide)(std::int32_t* out, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*below_f64)(double* out, RandomPlace, std::size_t n, std::uint64_t limit);
  // Write integers first, first + 1, … of a call, n ≤ limit of them from 32 bits each, below limit, limit - 1, …
  void (*below_descending)(std::uint32_t* out, RandomPlace, std::uint64_t first, std::size_t n, std::uint32_t limit);
  // The same where the words of the place are there; see room_for_vectors.
  void (*i8_of)(std::int8_t* out, const std::uint64_t* words, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*i16_of)(std::int16_t* out, const std::uint64_t* words, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*i32_of)(std::int32_t* out, const std::uint64_t* words, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*i32_wide_of)(std::int32_t* out, const std::uint64_t* words, RandomPlace, std::size_t n, std::uint32_t limit);
  void (*f64_of)(double* out, const std::uint64_t* words, RandomPlace, std::size_t n, std::uint64_t limit);
  void (*descending_of)(std::uint32_t* out, const std::uint64_t* words, RandomPlace, std::size_t n, std::uint32_t limit);
};

const RandomIntegerKernels& random_integers();

// Gives integer i of a call for numbers from 0 to limit - 1 that takes so many bits each; limit is at most 2^bits.
std::uint64_t random_below_16(RandomPlace, std::uint64_t i, std::uint64_t limit);
std::uint64_t random_below_32(RandomPlace, std::uint64_t i, std::uint64_t limit);
std::uint64_t random_below_64(RandomPlace, std::uint64_t i, std::uint64_t limit);

}  // namespace griddle::kernels
