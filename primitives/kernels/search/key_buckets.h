// Sets of keys of 32 bits in buckets of eight, which a vector compares with a key at once: no key is elsewhere, so that nothing
// need be foretold.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace griddle::kernels {

inline constexpr std::size_t keys_of_bucket = 8;

// Buckets, a power of two of them, best at a multiple of 32 bytes; which one a key belongs to is told by the highest bits of
// its product with an odd number.
struct KeyBuckets {
  std::uint32_t* keys;
  unsigned bits;
  std::uint32_t factor;
};
// Gives how many buckets so many keys take, as a power of two. With five keys for four of them or less, one in some hundred
// thousand has more than eight.
constexpr unsigned bucket_bits(std::size_t n) { return static_cast<unsigned>(std::bit_width(n * 4 / 5 | 1)); }

// Makes a set of n > 0 keys, in which equal ones may be; false where a bucket would have more than eight. `counts` is memory for
// a number for each bucket.
bool fill_buckets(const KeyBuckets&, std::uint8_t* counts, const std::uint32_t* x, std::size_t n);

// Writes a bit for each of n keys that tells whether it is in the set.
void match_buckets(const KeyBuckets&, const std::uint32_t* x, std::size_t n, std::uint64_t* out);

}  // namespace griddle::kernels
