// Finds the next of some bytes in a text, many bytes at a time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace griddle {

inline constexpr std::uint64_t byte_ones = 0x0101010101010101, byte_highs = byte_ones << 7;
static_assert(std::endian::native == std::endian::little);

inline std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Any of a few bytes, and of control characters where these count, too. The marks of a word are in the highest bits of its bytes:
// the lowest that is set is right, those above may stand for a borrow.
template <std::size_t count, bool and_controls = false>
struct ByteAmong {
  std::array<char, count> bytes;

  bool operator()(char c) const {
    bool is = and_controls && static_cast<unsigned char>(c) < ' ';
    for (const char b : bytes) is |= c == b;
    return is;
  }
  std::uint64_t marks(std::uint64_t word) const {
    std::uint64_t found = and_controls ? (word - byte_ones * ' ') & ~word : 0;
    for (const char b : bytes) {
      const std::uint64_t different = word ^ byte_ones * static_cast<unsigned char>(b);
      found |= (different - byte_ones) & ~different;
    }
    return found & byte_highs;
  }
#ifdef __SSE2__
  __m128i marks(__m128i piece) const {
    __m128i found = and_controls ? _mm_cmpeq_epi8(_mm_min_epu8(piece, _mm_set1_epi8(' ' - 1)), piece) : _mm_setzero_si128();
    for (const char b : bytes) found = _mm_or_si128(found, _mm_cmpeq_epi8(piece, _mm_set1_epi8(b)));
    return found;
  }
#endif
};

// Finds the first byte that `wanted` tells. Notes whether all before it is ASCII.
template <class Wanted>
inline const char* find_byte(const char* at, const char* const end, bool& is_ascii, const Wanted wanted) {
  std::uint64_t seen = 0;
#ifdef __SSE2__
  constexpr std::ptrdiff_t at_once = sizeof(__m128i);
  for (; end - at >= at_once; at += at_once) {
    const __m128i piece = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(wanted.marks(piece)));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(piece));
    if (found != 0) {
      // Bits below the lowest one of those that were found.
      is_ascii = seen == 0 && (high & (found - 1) & ~found) == 0;
      return at + std::countr_zero(found);
    }
    if (high != 0) seen = byte_highs;
  }
#endif
  constexpr std::size_t word_bytes = sizeof(std::uint64_t);
  for (; static_cast<std::size_t>(end - at) >= word_bytes; at += word_bytes) {
    const std::uint64_t word = word_at(at);
    if (const std::uint64_t found = wanted.marks(word); found != 0) {
      const int before = std::countr_zero(found);
      seen |= word & ((std::uint64_t{1} << before) - 1);
      is_ascii = (seen & byte_highs) == 0;
      return at + before / 8;
    }
    seen |= word;
  }
  unsigned char rest = 0;
  for (; at != end && !wanted(*at); at++) rest |= static_cast<unsigned char>(*at);
  is_ascii = (seen & byte_highs) == 0 && rest < 0x80;
  return at;
}

}  // namespace griddle
