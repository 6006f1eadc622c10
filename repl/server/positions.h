// Places in a text, as editors count them: a line, and a place in it in code units of UTF-16 or of UTF-8.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace griddle::repl {

enum class CodeUnits : unsigned char { utf8, utf16 };

struct Position {
  std::size_t line = 0, character = 0;
  bool operator==(const Position&) const = default;
};

class Positions {
 public:
  // Finds the lines of a text; LF, CR LF and CR end them. The text is handed over again where it is looked at.
  explicit Positions(std::string_view text);

  // Gives the byte of a position; of one beyond the end of its line, or of the text, that end.
  std::size_t byte_of(std::string_view text, Position, CodeUnits) const;
  Position position_of(std::string_view text, std::size_t byte, CodeUnits) const;
  std::size_t lines() const { return starts_.size(); }
  // Gives the byte where a line begins.
  std::size_t line_start(std::size_t line) const { return starts_[line]; }
  // Gives a line without its end.
  std::string_view line(std::string_view text, std::size_t line) const;
  std::size_t line_of(std::size_t byte) const;

 private:
  std::vector<std::size_t> starts_;
};

}  // namespace griddle::repl
