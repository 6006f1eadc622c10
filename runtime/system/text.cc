// Text in and out: •Out •Show •Fmt •Repr •ParseFloat •ToUTF8 •FromUTF8
#include <charconv>
#include <limits>

#include "runtime/format/format.h"
#include "runtime/system/argument.h"
#include "runtime/system/functions.h"
#include "runtime/system/system.h"
#include "runtime/value/utf8.h"

namespace griddle::system_functions {

namespace {

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

// Decodes UTF-8. Tells whether all of it was well formed.
bool decode(std::string_view bytes, std::u32string& out) {
  constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < bytes.size();) {
    auto first = static_cast<unsigned char>(bytes[i]);
    std::size_t length = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF8 ? 4 : 0;
    if (length == 0 || i + length > bytes.size()) return false;
    char32_t c = length == 1 ? first : first & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; k++) {
      if (!continues_utf8(bytes[i + k])) return false;
      c = c << 6 | (static_cast<unsigned char>(bytes[i + k]) & 0x3Fu);
    }
    if (c < smallest[length] || c > 0x10FFFF) return false;
    out.push_back(c);
    i += length;
  }
  return true;
}

}  // namespace

Value out(Context& cx, const Function& self, Value x) {
  cx.system->streams.write(string_argument(cx, self, x) + "\n");
  return x;
}

Value show(Context& cx, const Function&, Value x) {
  cx.system->streams.write(display_text(cx, x) + "\n");
  return x;
}

Value display(Context& cx, const Function&, Value x) { return make_string(cx.heap, display_text(cx, x)); }

Value source(Context& cx, const Function& self, Value x) {
  std::string text;
  switch (append_source(cx, text, x)) {
    case SourceProblem::none: return make_string(cx.heap, text);
    case SourceProblem::block: fail_in(cx, self, "A block has no representation");
    case SourceProblem::name_space: fail_in(cx, self, "A namespace has no representation");
    case SourceProblem::system: fail_in(cx, self, "A function that a system function made has no representation");
  }
  __builtin_unreachable();
}

Value parse_float(Context& cx, const Function& self, Value x) {
  std::string text = string_argument(cx, self, x);
  std::string_view digits = text;
  bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  double number = 0;
  // Words such as `inf` are no numbers here.
  bool begins = !digits.empty() && (is_digit(digits[0]) || digits[0] == '.');
  auto parsed = std::from_chars(digits.begin(), begins ? digits.end() : digits.begin(), number);
  if (parsed.ec == std::errc::result_out_of_range)
    number = is_large(digits) ? std::numeric_limits<double>::infinity() : 0;
  else if (parsed.ec != std::errc())
    parsed.ptr = digits.begin();
  if (digits.empty() || parsed.ptr != digits.end()) fail_in(cx, self, "𝕩 must be a number in digits (got \"" + text + "\")");
  return negative ? -number : number;
}

Value to_utf8(Context& cx, const Function& self, Value x) {
  if (!x.is_array() || !x.array().is_list())
    fail_in(cx, self, "𝕩 must be a list of characters or code points (got a " + kind_text(x) + ")");
  const Array& a = x.array();
  std::string bytes;
  for (std::size_t i = 0; i < a.length; i++) {
    Value e = element(a, i);
    std::uint32_t code_point = 0x110000;
    if (e.is_character())
      code_point = e.character();
    else if (!e.to_integer(code_point) || code_point > 0x10FFFF)
      fail_in(cx, self, "𝕩 must be a list of characters or code points (got a " + kind_text(e) + " in it)");
    append_utf8(bytes, code_point);
  }
  Ref<Array> result = make_list(cx.heap, ElementType::c8, bytes.size());
  std::copy(bytes.begin(), bytes.end(), result->as<std::uint8_t>());
  return to_value(std::move(result));
}

Value from_utf8(Context& cx, const Function& self, Value x) {
  std::u32string text;
  if (!decode(bytes_argument(cx, self, x), text)) fail_in(cx, self, "𝕩 must be valid UTF-8");
  return make_string(cx.heap, text);
}

}  // namespace griddle::system_functions
