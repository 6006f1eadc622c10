// Colours for source text, by role.
#pragma once

#include <string_view>
#include <vector>

namespace griddle::repl {

enum class Colour : unsigned char { plain, number, text, comment, function, modifier1, modifier2, special, punctuation };

struct Token {
  std::size_t end;
  Colour colour;
};
// Gives the token that begins at a place.
Token token_at(std::u32string_view source, std::size_t place);
// Gives the rest, from a place within it, of a token of such a colour: of a comment, a string or a word.
Token rest_of_token(std::u32string_view source, std::size_t place, Colour);

// Gives the colour of each character.
std::vector<Colour> colours_of(std::u32string_view source);

// Gives the bytes that make a terminal write in a colour.
std::string_view switch_to(Colour);

}  // namespace griddle::repl
