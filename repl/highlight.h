// Colours for source text, by role.
#pragma once

#include <string_view>
#include <vector>

namespace griddle::repl {

enum class Colour : unsigned char { plain, number, text, comment, function, modifier1, modifier2, special, punctuation };

// Gives the colour of each character.
std::vector<Colour> colours_of(std::u32string_view source);

// Gives the bytes that make a terminal write in a colour.
std::string_view switch_to(Colour);

}  // namespace griddle::repl
