#include "runtime/standard_gaps.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace griddle::standard_gaps {
namespace {

// Room for every double, written in any way with as many digits as anybody asks for here.
constexpr std::size_t most_text = 2048;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
const char* after_digits(const char* p, const char* last) { return std::find_if_not(p, last, is_digit); }

// Gives the end of a number without a sign, as from_chars reads it; `first` where there is none.
const char* end_of_number(const char* first, const char* last) {
  const char* p = after_digits(first, last);
  std::ptrdiff_t digits = p - first;
  if (p != last && *p == '.') {
    const char* const end = after_digits(p + 1, last);
    digits += end - (p + 1);
    p = end;
  }
  if (digits == 0) return first;
  if (p != last && (*p == 'e' || *p == 'E')) {
    const char* power = p + 1;
    if (power != last && (*power == '-' || *power == '+')) power++;
    if (const char* const end = after_digits(power, last); end != power) return end;
  }
  return p;
}

std::to_chars_result give(char* first, char* last, const char* text, std::size_t n) noexcept {
  if (static_cast<std::size_t>(last - first) < n) return {last, std::errc::value_too_large};
  std::memcpy(first, text, n);
  return {first + n, std::errc()};
}

// Writes the fewest digits that read back as the number, in the way of %e. Gives how many there are.
int write_shortest(char (&text)[64], double number) {
  constexpr int enough = 17;
  for (int digits = 1; digits < enough; digits = digits == 1 ? 15 : digits + 1) {
    std::snprintf(text, sizeof text, "%.*e", digits - 1, number);
    if (std::strtod(text, nullptr) != number) continue;
    // Fifteen may be more than are needed: zeros that end them.
    const char* const mark = std::strchr(text, 'e');
    const char* end = mark;
    while (digits > 1 && end[-1] == '0') end--, digits--;
    std::snprintf(text, sizeof text, "%.*e", digits - 1, number);
    return digits;
  }
  std::snprintf(text, sizeof text, "%.*e", enough - 1, number);
  return enough;
}

}  // namespace

std::from_chars_result read_double(const char* first, const char* last, double& number) noexcept {
  const char* const start = first != last && *first == '-' ? first + 1 : first;
  const char* const end = end_of_number(start, last);
  if (end == start) return {first, std::errc::invalid_argument};
  char text[most_text];
  const auto bytes = static_cast<std::size_t>(end - first);
  double read;
  if (bytes < sizeof text) {
    std::memcpy(text, first, bytes);
    text[bytes] = 0;
    read = std::strtod(text, nullptr);
  } else {
    read = std::strtod(std::string(first, bytes).c_str(), nullptr);
  }
  const bool is_zero = std::all_of(start, std::find_if(start, end, [](char c) { return c == 'e' || c == 'E'; }),
                                   [](char c) { return c == '0' || c == '.'; });
  if (std::isinf(read) || (read == 0 && !is_zero)) return {end, std::errc::result_out_of_range};
  number = read;
  return {end, std::errc()};
}

std::to_chars_result write_double(char* first, char* last, double number, std::chars_format format, int digits) noexcept {
  char text[most_text];
  const int n = std::snprintf(text, sizeof text, format == std::chars_format::fixed ? "%.*f" : "%.*e", digits, number);
  return give(first, last, text, static_cast<std::size_t>(n));
}

std::to_chars_result write_double(char* first, char* last, double number, std::chars_format format) noexcept {
  char text[64];
  if (!std::isfinite(number)) return write_double(first, last, number, format, 0);
  const int digits = write_shortest(text, number);
  if (format == std::chars_format::scientific) return give(first, last, text, std::strlen(text));
  const int power = std::atoi(std::strchr(text, 'e') + 1);
  return write_double(first, last, number, std::chars_format::fixed, std::max(0, digits - 1 - power));
}

std::to_chars_result write_double(char* first, char* last, double number) noexcept {
  char fixed[most_text], scientific[64];
  const auto end = write_double(fixed, fixed + sizeof fixed, number, std::chars_format::fixed).ptr;
  const auto other = write_double(scientific, scientific + sizeof scientific, number, std::chars_format::scientific).ptr;
  if (other - scientific < end - fixed) return give(first, last, scientific, static_cast<std::size_t>(other - scientific));
  return give(first, last, fixed, static_cast<std::size_t>(end - fixed));
}

}  // namespace griddle::standard_gaps
