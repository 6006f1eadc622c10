#include "repl/server/positions.h"

#include <algorithm>

namespace griddle::repl {

namespace {

// Gives how many code units the code point that begins with a byte has; none for the bytes within one.
std::size_t units_of(char byte, CodeUnits units) {
  if (units == CodeUnits::utf8) return 1;
  const auto first = static_cast<unsigned char>(byte);
  return first >= 0xF0 ? 2 : (first & 0xC0) == 0x80 ? 0 : 1;
}

}  // namespace

Positions::Positions(std::string_view text) : starts_{0} {
  for (std::size_t i = 0; i < text.size(); i++) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    if (text[i] == '\n' || text[i] == '\r') starts_.push_back(i + 1);
  }
}

std::string_view Positions::line(std::string_view text, std::size_t line) const {
  const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text.size();
  std::string_view found = text.substr(starts_[line], end - starts_[line]);
  while (found.ends_with('\n') || found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::size_t Positions::line_of(std::size_t byte) const {
  return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), byte) - starts_.begin()) - 1;
}

std::size_t Positions::byte_of(std::string_view text, Position position, CodeUnits units) const {
  if (position.line >= starts_.size()) return text.size();
  const std::string_view found = line(text, position.line);
  std::size_t i = 0;
  for (std::size_t left = position.character; i < found.size(); i++) {
    const std::size_t taken = units_of(found[i], units);
    if (taken > 0 && left < taken) break;
    left -= taken;
  }
  // A place within a code point counts as the place before it.
  while (i > 0 && i < found.size() && (static_cast<unsigned char>(found[i]) & 0xC0) == 0x80) i--;
  return starts_[position.line] + i;
}

Position Positions::position_of(std::string_view text, std::size_t byte, CodeUnits units) const {
  byte = std::min(byte, text.size());
  const std::size_t line = line_of(byte);
  Position position{line, 0};
  for (std::size_t i = starts_[line]; i < byte; i++) position.character += units_of(text[i], units);
  return position;
}

}  // namespace griddle::repl
