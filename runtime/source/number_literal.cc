#include "runtime/source/number_literal.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace griddle {
namespace {

constexpr std::string_view minus = "¯";
constexpr std::string_view infinity_spelling = "∞";
constexpr std::string_view pi_spelling = "π";
// More digits than a double can tell apart, so that πe2 and the like round correctly.
constexpr std::string_view pi_digits = "3.14159265358979323846264338327950288419716939937510";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::size_t count_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) n++;
  return n;
}

// Tells whether a literal beyond the range of doubles is too large rather than too small. `text` is digits[.digits][e[-]digits]
// with some digit that is not 0.
bool is_huge(std::string_view text) {
  const std::size_t e = text.find('e');
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t leading = mantissa.find_first_of("123456789");
  const double position = leading < point ? static_cast<double>(point - leading) : -static_cast<double>(leading - point);
  if (e == std::string_view::npos) return position > 0;
  const bool negative = text[e + 1] == '-';
  double exponent = 0;
  for (const char c : text.substr(e + 1 + negative)) exponent = exponent * 10 + (c - '0');
  return position + (negative ? -exponent : exponent) > 0;
}

// Computes digits × 10⋆exponent where the power is no longer exact: the integer that all digits make, times a power above 22,
// means that product, as in the reference implementation, and may lie up to two units in the last place from the nearest double.
std::optional<double> product_with_power(std::string_view text) {
  constexpr int last_exact_power = 22;
  const std::size_t e = text.find('e');
  if (e == std::string_view::npos) return std::nullopt;
  int exponent = 0;
  if (std::from_chars(text.data() + e + 1, text.data() + text.size(), exponent).ec != std::errc()) return std::nullopt;
  if (exponent <= last_exact_power || exponent > std::numeric_limits<double>::max_exponent10) return std::nullopt;
  std::string digits(text.substr(0, e));
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    exponent -= static_cast<int>(std::min<std::size_t>(e - point - 1, std::numeric_limits<double>::max_exponent10));
    digits.erase(point, 1);
  }
  if (exponent <= last_exact_power) return std::nullopt;
  double integer = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), integer).ec != std::errc()) return std::nullopt;
  const double product = integer * std::pow(10.0, exponent);
  if (!std::isfinite(product)) return std::nullopt;
  return product;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  std::string stripped;
  if (text.find('_') != std::string_view::npos) {
    for (const char c : text) {
      if (c != '_') stripped += c;
    }
    text = stripped;
  }
  const double sign = take(text, minus) ? -1 : 1;
  if (text == infinity_spelling) return sign * std::numeric_limits<double>::infinity();

  std::string plain;
  if (take(text, pi_spelling)) {
    plain = pi_digits;
  } else {
    std::size_t length = count_digits(text);
    if (length == 0) return std::nullopt;
    if (length < text.size() && text[length] == '.') {
      const std::size_t fraction = count_digits(text.substr(length + 1));
      if (fraction == 0) return std::nullopt;
      length += 1 + fraction;
    }
    plain = text.substr(0, length);
    text.remove_prefix(length);
  }
  if (!text.empty()) {
    if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
    text.remove_prefix(1);
    plain += 'e';
    if (take(text, minus)) plain += '-';
    if (text.empty() || count_digits(text) != text.size()) return std::nullopt;
    plain += text;
  }
  double value = 0;
  const auto result = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    value = is_huge(plain) ? std::numeric_limits<double>::infinity() : 0;
  } else if (const std::optional<double> product = product_with_power(plain)) {
    value = *product;
  }
  return sign * value;
}

}  // namespace griddle
