// Which key after a backslash types which glyph, as on other BQN keyboards.
#pragma once

#include <string>

namespace griddle::repl {

// Gives the glyph; 0 where the key has none.
char32_t glyph_of_key(char32_t key);

// Gives the key; 0 where none types the glyph.
char32_t key_of_glyph(char32_t glyph);

// Draws the keyboard, for a person to look at.
std::string glyph_keyboard();

}  // namespace griddle::repl
