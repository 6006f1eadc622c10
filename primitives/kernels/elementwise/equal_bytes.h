// Whether two runs of bytes are equal, and whether bytes tell equal numbers apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace griddle::kernels {

// For many bytes. Stops early where they differ.
bool equal_vectors(const void* a, const void* b, std::size_t bytes);

// Compares the first and the last `width` words, which together leave out nothing.
template <class Word, std::size_t width>
inline bool equal_ends(const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) {
  Word difference = 0;
  for (std::size_t i = 0; i < width; i++)
    for (const std::size_t at : {i * sizeof(Word), bytes - (i + 1) * sizeof(Word)}) {
      Word v, w;
      std::memcpy(&v, a + at, sizeof v);
      std::memcpy(&w, b + at, sizeof w);
      difference = static_cast<Word>(difference | (v ^ w));
    }
  return difference == 0;
}

inline bool equal_bytes(const void* a, const void* b, std::size_t bytes) {
  const auto *p = static_cast<const std::uint8_t*>(a), *q = static_cast<const std::uint8_t*>(b);
  constexpr std::size_t few = 128;
  if (bytes > 32) return bytes < few ? std::memcmp(a, b, bytes) == 0 : equal_vectors(a, b, bytes);
  if (bytes > 16) return equal_ends<std::uint64_t, 2>(p, q, bytes);
  if (bytes >= 8) return equal_ends<std::uint64_t, 1>(p, q, bytes);
  if (bytes >= 4) return equal_ends<std::uint32_t, 1>(p, q, bytes);
  if (bytes >= 2) return equal_ends<std::uint16_t, 1>(p, q, bytes);
  return bytes == 0 || *p == *q;
}

// Tells whether doubles are equal exactly where their bits are: none is ¯0 or NaN.
bool equal_as_bits(const double* x, std::size_t n);

}  // namespace griddle::kernels
