// Text in and out: •Out •Show •Fmt •Repr •ParseFloat •ToUTF8 •FromUTF8
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "runtime/format/format.h"
#include "runtime/format/number.h"
#include "runtime/system/argument.h"
#include "runtime/system/files/file_contents.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/system/text_style.h"
#include "runtime/value/utf8.h"

namespace griddle::system_functions {

namespace {

constexpr std::int64_t max_exponent = std::int64_t{1} << 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Tells whether a decimal number too far from 1 for a double is large, from the place of its first digit that is not 0.
bool is_large(std::string_view digits) {
  std::size_t e = digits.find_first_of("eE");
  std::string_view mantissa = digits.substr(0, e);
  long exponent = 0;
  if (e != digits.npos) {
    std::string_view text = digits.substr(e + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    if (std::from_chars(text.begin(), text.end(), exponent).ec != std::errc()) return !text.starts_with('-');
  }
  std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::size_t first = mantissa.find_first_not_of("0.");
  return static_cast<long>(point) - static_cast<long>(first) + exponent > 0;
}

// Reads a number of few digits that is an exact integer times or divided by an exact power of ten, so that it is rounded once.
// Tells whether the text is such a number.
bool read_short_number(std::string_view text, double& number) {
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr int last_power = std::size(powers) - 1;
  constexpr std::size_t most_read = 18;
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() > most_read) return false;
  std::uint64_t integer = 0;
  const auto read_digits = [&] {
    const char* const first = at;
    for (; at != end && is_digit(*at); at++) integer = integer * 10 + static_cast<std::uint64_t>(*at - '0');
    return static_cast<int>(at - first);
  };
  int digits = read_digits(), power = 0;
  if (at != end && *at == '.') {
    at++;
    power = -read_digits();
    digits -= power;
  }
  if (digits == 0) return false;
  if (at != end) {
    if (*at != 'e' && *at != 'E') return false;
    if (++at == end) return false;
    const bool negative = *at == '-';
    if (negative || *at == '+') at++;
    const std::ptrdiff_t left = end - at;
    if (left < 1 || left > 2 || !is_digit(at[0]) || !is_digit(end[-1])) return false;
    const int exponent = left == 1 ? at[0] - '0' : (at[0] - '0') * 10 + (at[1] - '0');
    power += negative ? -exponent : exponent;
  }
  if (integer > std::uint64_t{1} << 53 || power > last_power || power < -last_power) return false;
  const auto whole = static_cast<double>(integer);
  number = power < 0 ? whole / powers[-power] : whole * powers[power];
  return true;
}

// Reads a number that takes up all of the text. Tells whether it does.
bool read_number(std::string_view digits, double& number) {
  // Words such as `inf` are no numbers here.
  if (digits.empty() || (!is_digit(digits[0]) && digits[0] != '.')) return false;
  const auto parsed = std::from_chars(digits.begin(), digits.end(), number);
  if (parsed.ec == std::errc::result_out_of_range)
    number = is_large(digits) ? std::numeric_limits<double>::infinity() : 0;
  else if (parsed.ec != std::errc())
    return false;
  return parsed.ptr == digits.end();
}

// More digits than so many decide nothing but on which side of a number the value lies.
constexpr std::size_t most_digits = 800;

// Gives how many digits a text begins with.
std::size_t count_digits(std::string_view text) {
  constexpr std::size_t block = 64;
  std::size_t n = 0;
  for (; n + block <= text.size(); n += block) {
    unsigned char others = 0;
    for (std::size_t k = 0; k < block; k++) others |= static_cast<unsigned char>(text[n + k] - '0') > 9;
    if (others) break;
  }
  while (n < text.size() && is_digit(text[n])) n++;
  return n;
}

// Reads a number of many digits from the first of them.
bool read_long_number(std::string_view text, double& number) {
  constexpr std::size_t sure_digits = 19;
  const std::string_view whole = text.substr(0, count_digits(text));
  std::size_t end = whole.size();
  std::string_view rest;
  if (end < text.size() && text[end] == '.') {
    rest = text.substr(end + 1);
    rest = rest.substr(0, count_digits(rest));
    end += 1 + rest.size();
  }
  if (whole.size() + rest.size() == 0) return false;
  if (end < text.size() && text[end] != 'e' && text[end] != 'E') return false;
  std::int64_t exponent = 0;
  if (end < text.size()) {
    std::string_view after = text.substr(end + 1);
    if (after.starts_with('+')) {
      after.remove_prefix(1);
      if (after.starts_with('-')) return false;
    }
    const auto parsed = std::from_chars(after.begin(), after.end(), exponent);
    if (after.empty() || parsed.ptr != after.end()) return false;
    // An exponent beyond all others decides alone, unless there are as many zeros.
    if (parsed.ec != std::errc()) exponent = after[0] == '-' ? -max_exponent : max_exponent;
    exponent = std::clamp(exponent, -max_exponent, max_exponent);
  }
  std::string kept;
  std::size_t skipped = 0;
  bool exact = true;
  for (const std::string_view part : {whole, rest}) {
    std::size_t i = 0;
    if (kept.empty()) i = std::min(part.find_first_not_of('0'), part.size());
    const std::size_t count = std::min(part.size() - i, most_digits - kept.size());
    kept += part.substr(i, count);
    const std::string_view dropped = part.substr(i + count);
    skipped += dropped.size();
    exact = exact && dropped.find_first_not_of('0') == dropped.npos;
  }
  if (kept.empty()) return number = 0, true;
  // The value is the kept digits times a power of ten, and a little more unless exact.
  exponent += static_cast<std::int64_t>(skipped) - static_cast<std::int64_t>(rest.size());
  const auto with_exponent = [](std::string of, std::int64_t e) { return of + "e" + std::to_string(e); };
  if (kept.size() > sure_digits) {
    // Where the first digits and the next greater ones lead to one number, the others do not matter.
    const std::int64_t higher = exponent + static_cast<std::int64_t>(kept.size() - sure_digits);
    std::uint64_t first = 0;
    std::from_chars(kept.data(), kept.data() + sure_digits, first);
    double above;
    if (read_number(with_exponent(std::to_string(first), higher), number) &&
        read_number(with_exponent(std::to_string(first + 1), higher), above) && number == above)
      return true;
  }
  if (!exact) {
    kept += '1';
    exponent--;
  }
  return read_number(with_exponent(kept, exponent), number);
}

// Makes a string of text that the formatter wrote. Halves of surrogate pairs stand in it as they are.
Value text_value(Context& cx, std::string_view text) {
  constexpr std::size_t long_text = 256;
  const bool is_short_ascii =
      text.size() < long_text && std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
  return is_short_ascii ? make_string(cx.heap, text) : checked_text(cx.heap, text);
}

}  // namespace

Value out(Context& cx, const Function& self, Value x) {
  const BytesToWrite text = BytesToWrite::of_text(cx, self, x);
  cx.check_mapped_files();
  cx.system->streams.write(text.view());
  cx.system->streams.write("\n");
  // Text that was not taken because of an interrupt is the end here, where its place is known.
  cx.check_interrupt();
  return x;
}

Value show(Context& cx, const Function&, Value x) {
  HeapText text = display_text(cx, x);
  text += '\n';
  cx.check_mapped_files();
  cx.system->streams.write(text);
  cx.check_interrupt();
  return x;
}

Value show_within(Context& cx, const Function& self, Value w, Value x) {
  HeapText text = text_request(cx, self, w).text(cx, x);
  text += '\n';
  cx.check_mapped_files();
  cx.system->streams.write(text);
  cx.check_interrupt();
  return x;
}

namespace {

// Gives a finite number as text, which is all within Latin-1.
Value finite_number_text(Context& cx, double number) {
  char text[max_number_bytes];
  const NumberText written = write_number(text, number);
  Ref<Array> a = make_list(cx.heap, ElementType::c8, written.width);
  // The first byte of `¯` only says that the second one is a code point.
  std::remove_copy(text, written.end, a->as<char>(), '\xC2');
  return to_value(std::move(a));
}

}  // namespace

Value display(Context& cx, const Function&, Value x) {
  if (x.is_number() && std::isfinite(x.number())) return finite_number_text(cx, x.number());
  return text_value(cx, display_text(cx, x));
}
Value display_within(Context& cx, const Function& self, Value w, Value x) {
  return text_value(cx, text_request(cx, self, w).text(cx, x));
}

Value source(Context& cx, const Function& self, Value x) {
  if (x.is_number() && std::isfinite(x.number())) return finite_number_text(cx, x.number());
  HeapText text(cx.heap);
  switch (append_source(cx, text, x)) {
    case SourceProblem::none: return text_value(cx, text);
    case SourceProblem::block: fail_in(cx, self, "A block has no representation");
    case SourceProblem::name_space: fail_in(cx, self, "A namespace has no representation");
    case SourceProblem::system: fail_in(cx, self, "A function that a system function made has no representation");
  }
  __builtin_unreachable();
}

namespace {

bool is_bytes(const Value& x) { return x.is_array() && x.array().is_list() && x.array().type() == ElementType::c8; }

bool read_signed(std::string_view digits, double& number) {
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const bool is_number = read_short_number(digits, number) ||
                         (digits.size() > most_digits ? read_long_number(digits, number) : read_number(digits, number));
  if (negative) number = -number;
  return is_number;
}

Value no_number_message(Context& cx, const Function& self, const Value& x) {
  return make_string(
      cx.heap, std::string(name_of(self)) + ": 𝕩 must be a number in digits (got \"" + string_argument(cx, self, x) + "\")");
}

}  // namespace

Value parse_float_refusal(Context& cx, const Function& self, const Value& w, const Value& x) {
  double number = 0;
  if (!w.is_absent() || !is_bytes(x) || read_signed({x.array().as<char>(), x.array().length}, number)) return Value();
  return no_number_message(cx, self, x);
}

Value parse_float(Context& cx, const Function& self, Value x) {
  double number = 0;
  // Reads bytes where they lie; what is no digit fails all the same.
  if (is_bytes(x)) [[likely]] {
    if (read_signed({x.array().as<char>(), x.array().length}, number)) return number;
  } else if (read_signed(string_argument(cx, self, x), number)) {
    return number;
  }
  fail_with(cx, no_number_message(cx, self, x));
}

Value to_utf8(Context& cx, const Function& self, Value x) {
  auto refuse = [&](const std::string& got) {
    fail_in(cx, self, "𝕩 must be a list of characters or code points (got a " + got + ")");
  };
  if (!x.is_array() || !x.array().is_list()) refuse(kind_text(x));
  const Array& a = x.array();
  if (ascii_text(a)) return a.type() == ElementType::c8 ? x : to_value(make_list(cx.heap, ElementType::c8, 0));
  HeapText bytes(cx.heap);
  if (is_character(a.type())) {
    append_text(bytes, a);
  } else {
    for (std::size_t i = 0; i < a.length; i++) {
      Value e = element(a, i);
      std::uint32_t code_point = 0x110000;
      if (e.is_character())
        code_point = e.character();
      else if (!e.to_integer(code_point) || code_point > 0x10FFFF)
        refuse(kind_text(e) + " in it");
      append_utf8(bytes, code_point);
    }
  }
  Ref<Array> result = make_list(cx.heap, ElementType::c8, bytes.size());
  std::copy(bytes.begin(), bytes.end(), result->as<std::uint8_t>());
  return to_value(std::move(result));
}

Value from_utf8(Context& cx, const Function& self, Value x) {
  const BytesToWrite bytes = BytesToWrite::of_bytes(cx, self, x);
  return decoded_text(cx, self, bytes.view(), "𝕩");
}

}  // namespace griddle::system_functions
