#include "runtime/format/style.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace griddle;

namespace {

std::string spelled(double number, const TextStyle& style) {
  char buffer[max_styled_bytes];
  const NumberText text = write_number(buffer, number, style);
  const std::string result(buffer, text.end);
  unsigned width = 0, exponent = 0;
  for (const char c : result) width += (c & 0xC0) != 0x80;
  if (const std::size_t e = result.find('e'); e != result.npos) exponent = static_cast<unsigned>(result.size() - e);
  CHECK(text.width == width);
  CHECK(text.exponent == exponent);
  const std::size_t point = result.find('.');
  unsigned lead = 0;
  for (std::size_t i = 0; i < std::min(point, result.size()); i++) lead += (result[i] & 0xC0) != 0x80;
  CHECK(text.lead == lead);
  return result;
}

TextStyle with_precision(int n) {
  TextStyle style;
  style.precision = n;
  return style;
}
TextStyle with_decimals(int n) {
  TextStyle style;
  style.decimals = n;
  return style;
}

}  // namespace

TEST_CASE("precision bounds digits, but none before the point goes") {
  const TextStyle three = with_precision(3);
  CHECK(spelled(1.0 / 3, three) == "0.333");
  CHECK(spelled(-2.0 / 3, three) == "¯0.667");
  CHECK(spelled(0.5, three) == "0.5");
  CHECK(spelled(1234567.89, three) == "1234568");
  CHECK(spelled(12345, three) == "12345");
  CHECK(spelled(99.96, three) == "100");
  CHECK(spelled(0.00012345, three) == "0.000123");
  CHECK(spelled(0.000012345, three) == "1.23e¯5");
  CHECK(spelled(1.5e300, three) == "1.5e300");
  CHECK(spelled(1e-5, three) == "1e¯5");
  CHECK(spelled(0, three) == "0");
  CHECK(spelled(-0.0, three) == "0");
  CHECK(spelled(0.1, with_precision(17)) == "0.10000000000000001");
  CHECK(spelled(2.0 / 3, with_precision(1)) == "0.7");
}

TEST_CASE("decimals are all written, and what is rounded to 0 has no sign") {
  const TextStyle two = with_decimals(2);
  CHECK(spelled(1, two) == "1.00");
  CHECK(spelled(2.675, two) == "2.67");  // the number is a little less than that
  CHECK(spelled(0.125, two) == "0.12");
  CHECK(spelled(-0.001, two) == "0.00");
  CHECK(spelled(-0.006, two) == "¯0.01");
  CHECK(spelled(1e15, two) == "1.00e15");
  CHECK(spelled(999999999999999, with_decimals(0)) == "999999999999999");
  CHECK(spelled(2.5, with_decimals(0)) == "2");
  CHECK(spelled(999999999999999.9, with_decimals(20)).size() == 36);
}

TEST_CASE("groups, signs and what is no finite number") {
  TextStyle style = with_decimals(1);
  style.thousands = U' ';
  style.minus = U'-';
  CHECK(spelled(-1234567.25, style) == "-1 234 567.2");
  CHECK(spelled(999, style) == "999.0");
  CHECK(spelled(-INFINITY, style) == "-∞");
  CHECK(spelled(NAN, style) == "NaN");
  CHECK(spelled(-1e-7, with_precision(1)) == "¯1e¯7");
  style = {};
  style.thousands = U'’';
  CHECK(spelled(1000000, style) == "1’000’000");
  CHECK(spelled(0.1 + 0.2, style) == "0.30000000000000004");
  style.minus = U'−';
  CHECK(spelled(-1e-20, style) == "−1e−20");
  CHECK(spelled(-1e100, style) == "−1e100");
}

TEST_CASE("the longest number fits") {
  TextStyle style = with_decimals(TextStyle::most_decimals);
  style.thousands = style.minus = U'𝕩';
  CHECK(spelled(-999999999999999, style).size() <= max_styled_bytes);
}
