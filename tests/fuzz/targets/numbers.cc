// Number literals, and numbers as they are written.
#include <bit>
#include <charconv>
#include <cmath>

#include "runtime/format/number.h"
#include "runtime/source/number_literal.h"
#include "tests/fuzz/targets/target.h"

namespace {

// Gives the literal in the spelling of C, where it has one: digits, a point and an exponent.
std::optional<std::string> in_c(std::string_view literal) {
  std::string text;
  for (std::size_t i = 0; i < literal.size(); i++) {
    const char c = literal[i];
    if (literal.substr(i).starts_with("¯"))
      text += '-', i++;
    else if ((c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E')
      text += c == 'E' ? 'e' : c;
    else if (c != '_')
      return std::nullopt;
  }
  return text;
}

// A literal with an exponent above 22 is a product of rounded numbers (spec/grammar/tokens.md): up to two places beside the
// nearest.
bool is_near(double a, double b) { return a == b || std::nextafter(std::nextafter(a, b), b) == b || std::nextafter(a, b) == b; }

void check_literal(std::string_view literal) {
  const std::optional<double> parsed = griddle::parse_number(literal);
  if (!parsed) return;
  fuzz::require(!std::isnan(*parsed), "a literal is a number");
  const std::optional<std::string> text = in_c(literal);
  if (!text) return;
  double wanted = 0;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), wanted);
  if (problem == std::errc::result_out_of_range) return;
  fuzz::require(problem == std::errc() && end == text->data() + text->size(), "a literal is one for C too");
  fuzz::require(is_near(*parsed, wanted), "a literal is the nearest number, or one of those beside it");
}

void check_number(double number) {
  if (std::isnan(number)) return;
  char text[griddle::max_number_bytes];
  const griddle::NumberText written = griddle::write_number(text, number);
  const std::string_view literal(text, static_cast<std::size_t>(written.end - text));
  fuzz::require(literal.size() <= griddle::max_number_bytes, "a number fits its bytes");
  const std::optional<double> back = griddle::parse_number(literal);
  constexpr double exact_below = 1e22;
  fuzz::require(back && (*back == number || (std::fabs(number) >= exact_below && is_near(*back, number))),
                "a number that is written reads back as itself");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_literal(fuzz::text_of(data, size));
  fuzz::Bytes bytes(data, size);
  while (!bytes.is_empty()) check_number(std::bit_cast<double>(bytes.number<std::uint64_t>()));
  return 0;
}
