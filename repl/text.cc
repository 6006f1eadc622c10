#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr char32_t replacement = 0xFFFD;

}  // namespace

std::u32string code_points_of(std::string_view utf8) {
  std::u32string text;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    char32_t c = length == 1 ? first : first & (0x7F >> length);
    bool good = length > 0 && i + length <= utf8.size();
    for (std::size_t k = 1; good && k < length; k++) {
      const auto next = static_cast<unsigned char>(utf8[i + k]);
      good = next >> 6 == 2;
      c = c << 6 | (next & 0x3F);
    }
    // Longer forms than are needed, and what is beyond the last code point.
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    good = good && c >= least[length] && c <= 0x10FFFF;
    text += good ? c : replacement;
    i += good ? length : 1;
  }
  return text;
}

std::string utf8_of(std::u32string_view text) {
  std::string bytes;
  const auto more = [&bytes](char32_t c, int shift) { bytes += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
  for (char32_t c : text) {
    if (c < 0x80) {
      bytes += static_cast<char>(c);
    } else if (c < 0x800) {
      bytes += static_cast<char>(0xC0 | c >> 6);
    } else if (c < 0x10000) {
      bytes += static_cast<char>(0xE0 | c >> 12);
      more(c, 6);
    } else {
      bytes += static_cast<char>(0xF0 | c >> 18);
      more(c, 12);
      more(c, 6);
    }
    if (c >= 0x80) more(c, 0);
  }
  return bytes;
}

bool is_word(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9') || c == U'_' || c == U'•' ||
         c == U'¯' || c == U'π' || c == U'∞';
}

}  // namespace griddle::repl
