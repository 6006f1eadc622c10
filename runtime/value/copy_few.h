// Copies of a few bytes without a call.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace griddle {

// Copies bytes, of which there are at most some hundreds, between places that do not overlap. Pieces that do not fit overlap
// those before them.
inline void copy_few(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  const auto both_ends = [&]<class T>(T first, T last) {
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + bytes - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + bytes - sizeof last, &last, sizeof last);
  };
  if (bytes > 16) {
    for (std::size_t i = 0; i < bytes - 16; i += 16) std::memcpy(to + i, from + i, 16);
    std::memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else if (bytes >= 8) {
    both_ends(std::uint64_t{}, std::uint64_t{});
  } else if (bytes >= 4) {
    both_ends(std::uint32_t{}, std::uint32_t{});
  } else if (bytes != 0) {
    to[0] = from[0];
    to[bytes / 2] = from[bytes / 2];
    to[bytes - 1] = from[bytes - 1];
  }
}

// Copies 1 to 8 bytes of elements out of the memory of an array that is no view into another one's, to memory of a whole word.
// The word that ends with the last of them may be read, as the array's head lies before them: lengths that vary cost no branches.
inline void copy_word(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word;
  std::memcpy(&word, from + bytes - sizeof word, sizeof word);
  word >>= 8 * (sizeof word - bytes);
  std::memcpy(to, &word, sizeof word);
}

}  // namespace griddle
