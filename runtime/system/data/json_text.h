// Where a string of JSON ends, found many bytes at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace griddle {

inline constexpr std::uint64_t ones = 0x0101010101010101, highs = ones << 7;
inline constexpr std::size_t word_bytes = sizeof(std::uint64_t);
static_assert(std::endian::native == std::endian::little);

inline std::uint64_t word_at(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, word_bytes);
  return word;
}

inline bool ends_text(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; }

// Finds the first byte of a string that does not stand for itself: a quote, a backslash, or a control character. Notes whether
// all before it is ASCII.
inline const char* find_end_of_text(const char* at, const char* end, bool& is_ascii) {
  std::uint64_t seen = 0;
#ifdef __SSE2__
  constexpr std::ptrdiff_t at_once = sizeof(__m128i);
  for (; end - at >= at_once; at += at_once) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto is = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    const __m128i is_control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ' - 1)), bytes);
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(is('"'), is('\\')), is_control)));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(bytes));
    if (found != 0) {
      // Bits below the lowest one of those that were found.
      is_ascii = seen == 0 && (high & (found - 1) & ~found) == 0;
      return at + std::countr_zero(found);
    }
    if (high != 0) seen = highs;
  }
#endif
  while (static_cast<std::size_t>(end - at) >= word_bytes) {
    const std::uint64_t word = word_at(at);
    const std::uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    // The lowest bit that is set is right; those above may stand for a borrow.
    const std::uint64_t found =
        (((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((word - ones * ' ') & ~word)) & highs;
    if (found != 0) {
      const int before = std::countr_zero(found);
      seen |= word & ((std::uint64_t{1} << before) - 1);
      is_ascii = (seen & highs) == 0;
      return at + before / 8;
    }
    seen |= word;
    at += word_bytes;
  }
  unsigned char rest = 0;
  for (; at != end && !ends_text(*at); at++) rest |= static_cast<unsigned char>(*at);
  is_ascii = (seen & highs) == 0 && rest < 0x80;
  return at;
}

// Finds the quote that ends a string with escapes, the first of them at `at`, if it has at most `longest` bytes.
inline const char* find_near_quote(const char* start, const char* at, const char* end, std::size_t longest) {
  const std::ptrdiff_t all = std::min(end - start, static_cast<std::ptrdiff_t>(longest) + 1);
  for (std::ptrdiff_t i = at - start; i < all; i += start[i] == '\\' ? 2 : 1)
    if (start[i] == '"') return start + i;
  return nullptr;
}

}  // namespace griddle
