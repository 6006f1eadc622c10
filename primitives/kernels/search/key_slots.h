// Tables of keys in buckets of 64 bytes, which are compared as a whole: a key is found or missed without a branch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace griddle::kernels {

// Keys of 32 or 64 bits, each of which may have a number. Keys and numbers need no initial values, masks are 0 at first. There
// must be room: more places than keys. A key goes to the first bucket with room from that of its hash on, and keys only come.
template <class Key>
struct KeyBuckets {
  static constexpr std::size_t capacity = 64 / sizeof(Key);
  using Mask = std::conditional_t<sizeof(Key) == 4, std::uint16_t, std::uint8_t>;
  // Numbers are read, but not used, so far beyond the places.
  static constexpr std::size_t numbers_beyond = 64;
  Key* keys;               // aligned to 64 bytes
  std::uint32_t* numbers;  // null where keys need none
  Mask* filled;            // for each bucket, ones for the places taken, which come first
  std::size_t buckets;     // a power of two, from 2 to 2⋆31
  // Bits of which each key sets one by its hash, all 0 at first; null where there are none. They tell of most keys that they are
  // not there without a look at the buckets, which lie farther away. As many as a power of two from 8 to 2⋆31.
  std::uint8_t* filter;
  std::size_t filter_bits;
};

// What can be done with tables; n keys at a time.
template <class Key>
struct BucketFunctions {
  // Adds keys, and writes a bit for each that is new; `out` may be null.
  void (*mark_new)(const KeyBuckets<Key>&, const Key* x, std::size_t n, std::uint64_t* out);
  // Writes a bit for each key that is there.
  void (*match)(const KeyBuckets<Key>&, const Key* x, std::size_t n, std::uint64_t* out);
  // Adds keys; new ones get the numbers from `next` on. Writes the number of each and gives the next number.
  std::uint32_t (*classify)(const KeyBuckets<Key>&, const Key* x, std::size_t n, std::uint32_t next, std::uint32_t* out);
  // Adds keys; the number of a new one is its place.
  void (*number_places)(const KeyBuckets<Key>&, const Key* x, std::size_t n);
  // Writes the number of each key, or `missing`.
  void (*find_numbers)(const KeyBuckets<Key>&, const Key* x, std::size_t n, std::uint32_t missing, std::uint32_t* out);
};
const BucketFunctions<std::uint32_t>& bucket_functions(std::uint32_t);
const BucketFunctions<std::uint64_t>& bucket_functions(std::uint64_t);

}  // namespace griddle::kernels
