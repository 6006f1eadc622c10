#include "runtime/system/data/decimal.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

namespace griddle {

namespace {

// So many digits fit 64 bits, whatever they are.
constexpr std::ptrdiff_t most_digits = 19;
constexpr std::uint64_t exact_integers = std::uint64_t{1} << 53;
// Exponents beyond this one are all alike: no text is long enough to make up for them.
constexpr std::int64_t most_exponent = std::int64_t{1} << 56;

// Reads all digits from `at` on; beyond `most_digits` the number is of no use.
inline const char* read_digits(const char* at, const char* end, std::uint64_t& number) {
  for (; at != end && is_digit(*at); at++) number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}
// The same where eight or more are likely.
inline const char* read_many_digits(const char* at, const char* end, std::uint64_t& number) {
  constexpr std::ptrdiff_t at_once = 8;
  while (end - at >= at_once) {
    const FewDigits eight = read_few_digits(at);
    if (eight.count < at_once) break;
    number = number * 100'000'000 + eight.number;
    at += at_once;
  }
  return read_digits(at, end, number);
}

// Gives what a decimal number is whose digits or exponent are too many for exact steps. `first` begins at its digits.
double rounded(const char* first, const char* end, std::int64_t tenth_power) {
  double number = 0;
  const auto parsed = std::from_chars(first, end, number);
  if (parsed.ec == std::errc::result_out_of_range) return tenth_power > 0 ? std::numeric_limits<double>::infinity() : 0;
  return number;
}

// Counts the zeros, point aside, that a number begins with.
std::ptrdiff_t leading_zeros(const char* at, const char* end) {
  const char* const first = std::find_if(at, end, [](char c) { return c != '0' && c != '.'; });
  return first - at - std::count(at, first, '.');
}

}  // namespace

template <DecimalForm form>
const char* read_any_decimal(const char* at, const char* const end, Decimal& decimal) {
  constexpr std::int64_t last_power = std::size(powers_of_ten) - 1;
  const bool is_negative = at != end && *at == '-';
  if (is_negative || (form == DecimalForm::loose && at != end && *at == '+')) at++;
  const char* const first = at;
  std::uint64_t digits = 0;
  at = read_digits(at, end, digits);
  std::ptrdiff_t whole = at - first, parts = 0;
  if (form != DecimalForm::plain && whole > 1 && *first == '0') return nullptr;
  if (form == DecimalForm::json && whole == 0) return nullptr;
  bool is_integer = true;
  if (at != end && *at == '.') {
    is_integer = false;
    const char* const point = at++;
    at = read_many_digits(at, end, digits);
    parts = at - point - 1;
    if (form == DecimalForm::json && parts == 0) return nullptr;
  }
  if (whole + parts == 0) return nullptr;
  std::int64_t exponent = 0;
  if (at != end && (*at == 'e' || *at == 'E')) {
    is_integer = false;
    const char* power = at + 1;
    const bool is_small = power != end && *power == '-';
    if (power != end && (*power == '-' || *power == '+')) power++;
    if (power == end || !is_digit(*power)) return nullptr;
    for (; power != end && is_digit(*power); power++) exponent = std::min(exponent * 10 + (*power - '0'), most_exponent);
    if (is_small) exponent = -exponent;
    at = power;
  }
  const std::int64_t power = exponent - parts;
  double number;
  if (whole + parts <= most_digits && digits <= exact_integers && power >= -last_power && power <= last_power) {
    number = static_cast<double>(digits);
    number = power < 0 ? number / powers_of_ten[-power] : number * powers_of_ten[power];
    decimal.is_large = false;
  } else {
    number = rounded(first, at, whole - leading_zeros(first, at) + exponent);
    decimal.is_large = is_integer;
  }
  decimal.number = is_negative ? -number : number;
  return at;
}

template const char* read_any_decimal<DecimalForm::json>(const char*, const char*, Decimal&);
template const char* read_any_decimal<DecimalForm::loose>(const char*, const char*, Decimal&);
template const char* read_any_decimal<DecimalForm::plain>(const char*, const char*, Decimal&);

}  // namespace griddle
