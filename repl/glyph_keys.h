// Which key after a backslash types which glyph, as on other BQN keyboards.
#pragma once

#include <string>

namespace griddle::repl {

// Gives the glyph; 0 where the key has none.
char32_t glyph_of_key(char32_t key);

// Draws the keyboard, for a person to look at.
std::string glyph_keyboard();

}  // namespace griddle::repl
