#include "repl/editor/words.h"

#include "repl/highlight.h"
#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr std::size_t shortest_run = 2;

bool is_blank(char32_t c) { return c == U' ' || c == U'\t' || c == U'\n'; }
bool is_glyph(char32_t c) { return !is_word(c) && !is_blank(c); }

constexpr std::u32string_view openers = U"(⟨[{", closers = U")⟩]}";

}  // namespace

std::size_t word_left(std::u32string_view text, std::size_t place) {
  std::size_t i = place;
  while (i > 0 && !is_word(text[i - 1])) {
    const std::size_t end = i;
    while (i > 0 && is_glyph(text[i - 1])) i--;
    if (end - i >= shortest_run) return i;
    while (i > 0 && is_blank(text[i - 1])) i--;
  }
  while (i > 0 && is_word(text[i - 1])) i--;
  return i;
}

std::size_t word_right(std::u32string_view text, std::size_t place) {
  std::size_t i = place;
  while (i < text.size() && !is_word(text[i])) {
    const std::size_t start = i;
    while (i < text.size() && is_glyph(text[i])) i++;
    if (i - start >= shortest_run) return i;
    while (i < text.size() && is_blank(text[i])) i++;
  }
  while (i < text.size() && is_word(text[i])) i++;
  return i;
}

Stretch name_from(std::u32string_view text, std::size_t place) {
  std::size_t from = place;
  while (from < text.size() && !is_word(text[from])) from++;
  std::size_t to = from;
  while (to < text.size() && is_word(text[to])) to++;
  return {from, to};
}

Stretch name_before(std::u32string_view text, std::size_t place) {
  std::size_t to = place;
  while (to > 0 && !is_word(text[to - 1])) to--;
  std::size_t from = to;
  while (from > 0 && is_word(text[from - 1])) from--;
  return {from, to};
}

std::u32string last_argument(std::u32string_view text) {
  std::vector<Stretch> open;
  Stretch last{0, 0};
  for (std::size_t i = 0; i < text.size();) {
    const Token token = token_at(text, i);
    if (closers.find(text[i]) != closers.npos && !open.empty()) {
      last = {open.back().from, token.end};
      open.pop_back();
    } else if (openers.find(text[i]) != openers.npos) {
      open.push_back({i, token.end});
    } else if (is_word(text[i]) || token.colour == Colour::text || token.colour == Colour::special) {
      last = {i, token.end};
    }
    i = token.end;
  }
  return std::u32string(text.substr(last.from, last.size()));
}

}  // namespace griddle::repl
