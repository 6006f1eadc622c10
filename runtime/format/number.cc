#include "runtime/format/number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace griddle {

namespace {

constexpr double positional_limit = 1e15;
constexpr int smallest_positional_exponent = -4;
constexpr int largest_positional_exponent = 14;

char* write_minus(char* out) {
  *out++ = '\xC2';
  *out++ = '\xAF';
  return out;
}

// Writes a number that up to 15 digits spell; these are the only ones as short that read back as the number. Gives false for
// others.
bool write_few_digits(char* out, unsigned sign, double magnitude, NumberText& text) {
  constexpr int most_digits = 15;
  constexpr double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  constexpr double smallest_positional = 1e-4;
  if (!(magnitude >= smallest_positional && magnitude < positional_limit)) return false;
  int places = most_digits;
  while (magnitude >= powers[most_digits - places]) places--;
  // Both numbers are exact, so that the quotient is rounded as reading the digits is.
  const double scaled = std::nearbyint(magnitude * powers[places]);
  if (!(scaled < positional_limit) || scaled / powers[places] != magnitude) return false;
  auto digits = static_cast<std::uint64_t>(scaled);
  constexpr struct {
    std::uint64_t power;
    int zeros;
  } steps[] = {{100'000'000, 8}, {10'000, 4}, {100, 2}, {10, 1}};
  for (const auto& step : steps) {
    if (step.zeros >= places || digits % step.power != 0) continue;
    digits /= step.power;
    places -= step.zeros;
  }
  const auto power = static_cast<std::uint64_t>(powers[places]);
  char* start = out;
  out = std::to_chars(out, out + most_digits + 1, digits / power).ptr;
  const unsigned lead = sign + static_cast<unsigned>(out - start);
  *out++ = '.';
  // A digit in front keeps the zeros; the point takes its place.
  char* end = std::to_chars(out - 1, out + most_digits, power + digits % power).ptr;
  out[-1] = '.';
  text = {end, sign + static_cast<unsigned>(end - start), lead, 0};
  return true;
}

// Writes what is not an integer below the positional limit.
NumberText write_fraction(char* out, unsigned sign, double magnitude) {
  char scientific[max_number_bytes];
  char* end = std::to_chars(scientific, scientific + sizeof scientific, magnitude, std::chars_format::scientific).ptr;
  char* mark = end - 1;
  while (*mark != 'e') mark--;
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  char digits[max_number_bytes];
  digits[0] = scientific[0];
  int count = 1;
  if (mark > scientific + 1) {
    count = static_cast<int>(mark - scientific) - 1;
    std::memcpy(digits + 1, scientific + 2, count - 1);
  }

  char* start = out;
  auto put = [&](const char* from, int n) {
    std::memcpy(out, from, n);
    out += n;
  };
  if (exponent < smallest_positional_exponent || exponent > largest_positional_exponent) {
    *out++ = digits[0];
    if (count > 1) {
      *out++ = '.';
      put(digits + 1, count - 1);
    }
    char* e = out;
    *out++ = 'e';
    if (exponent < 0) out = write_minus(out);
    out = std::to_chars(out, out + 4, exponent < 0 ? -exponent : exponent).ptr;
    unsigned width = static_cast<unsigned>(out - start) - (exponent < 0);
    return {out, sign + width, sign + (count > 1 ? 1 : width), static_cast<unsigned>(out - e)};
  }
  unsigned lead;
  if (exponent < 0) {
    lead = 1;
    put("0.000", 1 - exponent);
    put(digits, count);
  } else if (count <= exponent + 1) {
    lead = exponent + 1;
    put(digits, count);
    std::memset(out, '0', exponent + 1 - count);
    out += exponent + 1 - count;
  } else {
    lead = exponent + 1;
    put(digits, exponent + 1);
    *out++ = '.';
    put(digits + exponent + 1, count - exponent - 1);
  }
  return {out, sign + static_cast<unsigned>(out - start), sign + lead, 0};
}

}  // namespace

NumberText write_number(char* out, double number) {
  if (number != number) {
    std::memcpy(out, "NaN", 3);
    return {out + 3, 3, 3, 0};
  }
  unsigned sign = number < 0;
  if (sign) out = write_minus(out);
  double magnitude = std::fabs(number);
  if (magnitude < positional_limit) {
    std::uint64_t integer = static_cast<std::uint64_t>(magnitude);
    if (static_cast<double>(integer) == magnitude) {
      char* end = std::to_chars(out, out + 16, integer).ptr;
      unsigned width = sign + static_cast<unsigned>(end - out);
      return {end, width, width, 0};
    }
  } else if (std::isinf(magnitude)) {
    std::memcpy(out, "∞", 3);
    return {out + 3, sign + 1, sign + 1, 0};
  }
  if (NumberText text; write_few_digits(out, sign, magnitude, text)) return text;
  return write_fraction(out, sign, magnitude);
}

}  // namespace griddle
