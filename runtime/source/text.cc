#include "runtime/source/text.h"

#include <algorithm>

namespace griddle {

SourceText::Line SourceText::line_at(std::uint32_t offset) const {
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); i++) {
      const bool ends = text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
      if (ends) line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const std::uint32_t start = *(after - 1);
  std::string_view line = std::string_view(text).substr(start);
  line = line.substr(0, line.find_first_of("\n\r"));
  return {static_cast<std::uint32_t>(after - line_starts_.begin()), start, line};
}

char32_t decode_utf8(const char*& position, const char* end) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(position[i]); };
  const auto continues = [&](int i) { return position + i < end && (byte(i) & 0xC0) == 0x80; };
  const char32_t first = byte(0);
  if (first < 0x80) {
    position++;
    return first;
  }
  char32_t result = invalid_code_point;
  int length = 1;
  if (first < 0xC2) return invalid_code_point;
  if (first < 0xE0) {
    if (!continues(1)) return invalid_code_point;
    result = (first & 0x1F) << 6 | (byte(1) & 0x3F);
    length = 2;
  } else if (first < 0xF0) {
    if (!continues(1) || !continues(2)) return invalid_code_point;
    result = (first & 0x0F) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3F);
    if (result < 0x800) return invalid_code_point;
    length = 3;
  } else {
    if (first > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return invalid_code_point;
    result = (first & 0x07) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3F);
    if (result < 0x10000 || result > 0x10FFFF) return invalid_code_point;
    length = 4;
  }
  position += length;
  return result;
}

}  // namespace griddle
