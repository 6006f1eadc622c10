#include "runtime/format/style.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "runtime/value/utf8.h"

namespace griddle {

namespace {

constexpr double exponent_from = 1e15, exponent_below = 1e-4;
constexpr std::ptrdiff_t group = 3;

// Digits of a number without its sign, as ASCII: d.ddd, or d.ddde-5.
struct Digits {
  char text[64];
  char* end = text;
  std::string_view view() const { return {text, static_cast<std::size_t>(end - text)}; }
};

// Drops zeros that end the digits after a point, and the point where none are left; keeps an exponent.
void drop_zeros(Digits& digits) {
  char* const exponent = std::find(digits.text, digits.end, 'e');
  char* end = exponent;
  if (std::find(digits.text, exponent, '.') == exponent) return;
  while (end[-1] == '0') end--;
  if (end[-1] == '.') end--;
  digits.end = std::copy(exponent, digits.end, end);
}

Digits digits_of(double magnitude, const TextStyle& style) {
  Digits digits;
  const auto write = [&](std::chars_format format, int places) {
    digits.end = std::to_chars(digits.text, std::end(digits.text), magnitude, format, places).ptr;
  };
  const bool fixed = style.decimals >= 0;
  if (magnitude != 0 && (magnitude >= exponent_from || (!fixed && magnitude < exponent_below))) {
    if (!fixed && style.precision == 0)
      digits.end = std::to_chars(digits.text, std::end(digits.text), magnitude, std::chars_format::scientific).ptr;
    else
      write(std::chars_format::scientific, fixed ? style.decimals : style.precision - 1);
    if (!fixed) drop_zeros(digits);
  } else if (fixed) {
    write(std::chars_format::fixed, style.decimals);
  } else if (style.precision > 0) {
    const int exponent = magnitude == 0 ? 0 : static_cast<int>(std::floor(std::log10(magnitude)));
    write(std::chars_format::fixed, std::max(0, style.precision - 1 - exponent));
    drop_zeros(digits);
  } else {
    digits.end = write_number(digits.text, magnitude).end;
  }
  return digits;
}

}  // namespace

NumberText write_number(char* out, double number, const TextStyle& style) {
  if (style.spells_numbers_as_usual() || std::isnan(number)) return write_number(out, number);
  NumberText text = {out, 0, 0, 0};
  const auto put = [&](char32_t c) {
    text.end = write_utf8(text.end, c);
    text.width++;
  };
  if (std::isinf(number)) {
    if (number < 0) put(style.minus);
    put(U'∞');
    text.lead = text.width;
    return text;
  }
  const Digits digits = digits_of(std::fabs(number), style);
  std::string_view rest = digits.view();
  // What is rounded to 0 has no sign.
  if (number < 0 && rest.substr(0, rest.find('e')).find_first_of("123456789") != rest.npos) put(style.minus);
  const std::size_t whole = std::min(rest.find_first_of(".e"), rest.size());
  for (std::size_t i = 0; i < whole; i++) {
    if (i > 0 && (whole - i) % group == 0 && style.thousands != 0) put(style.thousands);
    put(static_cast<unsigned char>(rest[i]));
  }
  text.lead = text.width;
  rest.remove_prefix(whole);
  char* exponent = nullptr;
  for (std::size_t i = 0; i < rest.size(); i++) {
    const char c = rest[i];
    if (c == 'e') exponent = text.end;
    const bool after_mark = exponent != nullptr && c != 'e';
    // The C library writes e+20 and e-05.
    if (after_mark && (c == '+' || (c == '0' && rest[i - 1] < '0'))) continue;
    put(c == '-' ? style.minus : static_cast<unsigned char>(c));
  }
  if (exponent != nullptr) text.exponent = static_cast<unsigned>(text.end - exponent);
  if (exponent == nullptr || digits.view().find('.') != std::string_view::npos) return text;
  text.lead = text.width;  // a number with an exponent and no point is aligned as a whole
  return text;
}

}  // namespace griddle
