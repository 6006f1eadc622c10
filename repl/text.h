// Text of a line while it is edited: code points, and UTF-8 at its edges.
#pragma once

#include <string>
#include <string_view>

#include "runtime/text_width.h"

namespace griddle::repl {

// Bytes that are no UTF-8 become U+FFFD.
std::u32string code_points_of(std::string_view utf8);
std::string utf8_of(std::u32string_view);

// Gives the columns that a code point takes up on a terminal: 0, 1 or 2.
using griddle::columns_of;

// Tells whether a code point belongs to names and numbers.
bool is_word(char32_t);

}  // namespace griddle::repl
