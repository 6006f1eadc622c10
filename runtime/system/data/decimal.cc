#include "runtime/system/data/decimal.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>
#include <limits>

namespace griddle {

namespace {

// So many digits fit 64 bits, whatever they are.
constexpr unsigned most_digits = 19;
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

// Counts the zeros, point aside, that a number begins with.
std::ptrdiff_t leading_zeros(const char* at, const char* end) {
  const char* const first = std::find_if(at, end, [](char c) { return c != '0' && c != '.'; });
  return first - at - std::count(at, first, '.');
}

// Gives what a decimal number is whose digits or exponent are too many for exact steps. `first` begins at its digits, `whole` of
// which stand before the point.
double rounded(const char* first, const char* end, std::ptrdiff_t whole, std::int64_t exponent) {
  double number = 0;
  const auto parsed = std::from_chars(first, end, number);
  if (parsed.ec != std::errc::result_out_of_range) return number;
  return whole - leading_zeros(first, end) + exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
}

using Wide = unsigned __int128;

// Powers of ten as small as these have a power of five that fits 64 bits, which is why the steps of `divided` are always exact
// enough (Lemire, "Number Parsing at a Gigabyte per Second").
constexpr unsigned least_power = 27;

// 1 ÷ 5⋆n in 128 bits, the highest of which is set: cut off for n=0, else rounded up.
struct Reciprocal {
  std::uint64_t high, low;
};
constexpr std::array<Reciprocal, least_power + 1> make_reciprocals() {
  std::array<Reciprocal, least_power + 1> all{};
  all[0] = {std::uint64_t{1} << 63, 0};
  std::uint64_t power = 1;
  for (std::size_t n = 1; n < all.size(); n++) {
    power *= 5;
    const Wide one = Wide{1} << (std::bit_width(power) + 63);
    const auto high = static_cast<std::uint64_t>(one / power);
    const auto low = static_cast<std::uint64_t>((one % power << 64) / power);
    // No power divides 2⋆k, so that there is a rest, and 1 more is the quotient rounded up.
    all[n] = {low + 1 == 0 ? high + 1 : high, low + 1};
  }
  return all;
}
constexpr std::array<Reciprocal, least_power + 1> reciprocals = make_reciprocals();

// Gives digits÷10⋆n, rounded once, to the even one of two doubles that are equally near.
inline double divided(std::uint64_t digits, unsigned n) {
  if (digits == 0) return 0;
  constexpr int mantissa_bits = std::numeric_limits<double>::digits;
  const int shifted = std::countl_zero(digits);
  const std::uint64_t first = digits << shifted;
  const Reciprocal& by = reciprocals[n];
  const Wide product = Wide{first} * by.high;
  auto high = static_cast<std::uint64_t>(product >> 64), low = static_cast<std::uint64_t>(product);
  // The lower half of the reciprocal matters only where it could carry into the bits that count.
  constexpr std::uint64_t below = (std::uint64_t{1} << (64 - mantissa_bits - 2)) - 1;
  if ((high & below) == below) {
    const auto more = static_cast<std::uint64_t>(Wide{first} * by.low >> 64);
    low += more;
    high += low < more;
  }
  // One bit more than the mantissa has, for rounding.
  const int top = static_cast<int>(high >> 63), shift = 64 - mantissa_bits - 2 + top;
  std::uint64_t mantissa = high >> shift;
  // Quotients right between two doubles come only by powers that divide a number of 64 bits.
  constexpr unsigned last_tie = 4;
  if (n <= last_tie && low <= 1 && (mantissa & 3) == 1 && mantissa << shift == high) mantissa &= ~std::uint64_t{1};
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  // log2 of 10⋆-n, rounded down, in 16 bits behind the point. What mantissa has beyond its bits carries into the exponent.
  const int exponent = static_cast<int>((-217706 * static_cast<int>(n)) >> 16) + 63 + top - shifted + 1023;
  return std::bit_cast<double>(mantissa + (static_cast<std::uint64_t>(exponent - 1) << (mantissa_bits - 1)));
}

}  // namespace

const char* read_long_fraction(const char* at, std::uint64_t digits, unsigned whole, bool is_negative, Decimal& decimal) {
  const FewDigits next = read_few_digits(at);
  at += next.count;
  unsigned parts = 8 + next.count;
  // What is before the point may be a zero, which is no digit that counts.
  constexpr std::uint64_t one = 100'000'000;
  unsigned count = parts + (digits < one ? 0 : whole);
  if (count > most_digits) return nullptr;
  digits = digits * (next.count == 8 ? one : integer_powers_of_ten[next.count]) + next.number;
  if (next.count == 8)
    for (; is_digit(*at); at++) {
      if (++count > most_digits) return nullptr;
      digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
      parts++;
    }
  if ((*at | 0x20) == 'e') return nullptr;
  const double number = divided(digits, parts);
  decimal = {is_negative ? -number : number, false};
  return at;
}

template <DecimalForm form>
const char* read_any_decimal(const char* at, const char* const end, Decimal& decimal) {
  constexpr std::int64_t last_power = std::size(powers_of_ten) - 1;
  const bool is_negative = at != end && *at == '-';
  if (is_negative || (form == DecimalForm::loose && at != end && *at == '+')) at++;
  const char* const first = at;
  std::uint64_t digits = 0;
  at = read_many_digits(at, end, digits);
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
    const bool is_near = whole + parts <= most_digits && power <= 0 && power >= -std::int64_t{least_power};
    number = is_near ? divided(digits, static_cast<unsigned>(-power)) : rounded(first, at, whole, exponent);
    decimal.is_large = is_integer;
  }
  decimal.number = is_negative ? -number : number;
  return at;
}

template const char* read_any_decimal<DecimalForm::json>(const char*, const char*, Decimal&);
template const char* read_any_decimal<DecimalForm::loose>(const char*, const char*, Decimal&);
template const char* read_any_decimal<DecimalForm::plain>(const char*, const char*, Decimal&);

}  // namespace griddle
