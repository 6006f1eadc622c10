#include "repl/open_brackets.h"

#include <algorithm>

namespace griddle::repl {

namespace {

// Gives the bytes of the code point that starts with this byte.
std::size_t length_of(char first) {
  auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

void OpenBrackets::add(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); i += length_of(text[i])) {
    if (in_string_) {
      i = text.find('"', i);
      if (i == text.npos) return;
      in_string_ = false;
      continue;
    }
    switch (text[i]) {
      case '#':
        i = text.find('\n', i);
        if (i == text.npos) return;
        break;
      case '"': in_string_ = true; break;
      case '\'': {
        // A character literal is one code point between quotes; the step over the loop's end passes the second quote.
        std::size_t close = i + 1 < text.size() ? i + 1 + length_of(text[i + 1]) : text.npos;
        if (close < text.size() && text[close] == '\'') i = close;
        break;
      }
      case '[':
      case '{': depth_++; break;
      case ']':
      case '}': depth_--; break;
      case '\xE2':
        if (text.substr(i).starts_with("⟨")) depth_++;
        if (text.substr(i).starts_with("⟩")) depth_--;
        break;
      default: break;
    }
  }
}

}  // namespace griddle::repl
