// Where words begin and end. A word is a name or a number, or a run of two or more glyphs; a single glyph only parts words.
#pragma once

#include <string>
#include <string_view>

namespace griddle::repl {

// Gives where the word before a place begins, and where the one behind it ends.
std::size_t word_left(std::u32string_view text, std::size_t place);
std::size_t word_right(std::u32string_view text, std::size_t place);

// A stretch of a text.
struct Stretch {
  std::size_t from, to;
  std::size_t size() const { return to - from; }
};
// Gives the name or number at a place, or the next one behind it; an empty stretch where there is none.
Stretch name_from(std::u32string_view text, std::size_t place);
// Gives the last name or number that ends at a place, or before it; likewise.
Stretch name_before(std::u32string_view text, std::size_t place);

// Gives the last argument of a program: its last name, number, string, or what is in its last brackets.
std::u32string last_argument(std::u32string_view text);

}  // namespace griddle::repl
