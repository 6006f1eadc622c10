// A source text and its lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/source/ast.h"
#include "runtime/value/utf8.h"

namespace griddle {

// Belongs to one thread: the line index is built when the first position is asked for.
struct SourceText {
  SourceText() = default;
  SourceText(std::string text_, std::string name_, std::string path_ = {})
      : text(std::move(text_)), name(std::move(name_)), path(std::move(path_)) {}

  std::string text;  // UTF-8, less than 4 GiB
  std::string name;  // as messages show it: a path, (-e), (-p)
  std::string path;  // file it was read from; empty where there is none

  struct Line {
    std::uint32_t number;   // from 1
    std::uint32_t start;    // byte where it begins
    std::string_view text;  // without its line break
  };
  // Finds the line that holds the byte `offset`. LF, CR and CR LF end lines; `offset` may be text.size().
  Line line_at(std::uint32_t offset) const;

 private:
  mutable std::vector<std::uint32_t> line_starts_;
};

// A program that is not BQN. Thrown by the parser before anything runs.
struct SyntaxError {
  std::string message;
  Span span;
  Span related = {0, 0};  // another place that the error is about, such as the bracket that is open; empty: none
};

// Decodes the code point that begins at `position` and moves past it. Gives invalid_code_point, and does not move, where the
// bytes are not valid UTF-8, or a longer form than is needed; surrogates are taken, as strings may hold them. `position` must lie
// before `end`.
inline constexpr char32_t invalid_code_point = 0xFFFFFFFF;
char32_t decode_utf8(const char*& position, const char* end);

}  // namespace griddle
