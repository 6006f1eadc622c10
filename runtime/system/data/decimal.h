// Numbers as JSON and CSV write them, and as •ParseFloat reads them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace griddle {

struct Decimal {
  double number = 0;
  // An integer beyond 2⋆53, which the double need not equal.
  bool is_large = false;
};

// Says which numbers there are: those of JSON, or also those with `+`, and without digits on one side of the point; or those
// without `+`, but with zeros before other digits.
enum class DecimalForm : std::uint8_t { json, loose, plain };

// Those powers of ten that are exact, as doubles and as integers.
inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t integer_powers_of_ten[] = {1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Up to eight digits in a row.
struct FewDigits {
  unsigned count;  // 8: there may be more
  std::uint64_t number;
};
// Reads them from eight bytes at once, so that nothing has to be guessed about how many there are.
inline FewDigits read_few_digits(const char* at) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  word ^= ones * '0';
  // What is above 9 reaches the highest bit of its byte. Bytes behind the first such one do not matter.
  const std::uint64_t others = ((word + ones * 0x76) | word) & ones * 0x80;
  const unsigned count = others == 0 ? 8 : static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) return {0, 0};
  word <<= 64 - 8 * count;  // zeros stand before them now
  constexpr std::uint64_t pairs = 0x000000FF000000FF;
  word = word * 10 + (word >> 8);  // of two digits, in every other byte
  word = ((word & pairs) * 0x000F424000000064 + (word >> 16 & pairs) * 0x0000271000000001) >> 32;
  return {count, word};
}

// Goes on with a number whose digits after the point fill the eight bytes before `at`. `digits` are all so far, `whole` says how
// many of them stand before the point. Gives null where the number has too many digits, or an exponent.
const char* read_long_fraction(const char* at, std::uint64_t digits, unsigned whole, bool is_negative, Decimal& decimal);

// The same as read_decimal, for all numbers there are.
template <DecimalForm form>
const char* read_any_decimal(const char* at, const char* end, Decimal& decimal);

// Reads a number from `at` on, as long as it goes. Gives where it ends, or null where none is. A zero before other digits begins
// no number, but in the plain form: what it is good for, a double does not keep.
template <DecimalForm form>
inline const char* read_decimal(const char* const at, const char* const end, Decimal& decimal) {
  // Most have few digits before the point. With many after it, so many bytes are looked at.
  constexpr std::ptrdiff_t longest = 32;
  if (end - at < longest) return read_any_decimal<form>(at, end, decimal);
  const bool is_negative = *at == '-';
  const char* p = at + is_negative;
  const FewDigits whole = read_few_digits(p);
  const bool has_zero = form != DecimalForm::plain && *p == '0' && whole.count > 1;
  p += whole.count;
  if (whole.count - 1 >= 7 || has_zero) return read_any_decimal<form>(at, end, decimal);
  double number;
  if (*p == '.') {
    const FewDigits parts = read_few_digits(++p);
    p += parts.count;
    if (parts.count - 1 >= 7) {
      const std::uint64_t digits = whole.number * 100'000'000 + parts.number;
      if (parts.count == 8)
        if (const char* const after = read_long_fraction(p, digits, whole.count, is_negative, decimal)) return after;
      return read_any_decimal<form>(at, end, decimal);
    }
    // Both are exact, so that the quotient is rounded once.
    number = static_cast<double>(static_cast<std::int64_t>(whole.number * integer_powers_of_ten[parts.count] + parts.number)) /
             powers_of_ten[parts.count];
  } else {
    number = static_cast<double>(static_cast<std::int64_t>(whole.number));
  }
  if ((*p | 0x20) == 'e') return read_any_decimal<form>(at, end, decimal);
  decimal = {is_negative ? -number : number, false};
  return p;
}

}  // namespace griddle
