#include "repl/highlight.h"

#include <algorithm>

#include "repl/text.h"

namespace griddle::repl {

namespace {

constexpr std::u32string_view functions = U"+-×÷⋆√⌊⌈|¬∧∨<>≠=≤≥≡≢⊣⊢⥊∾≍⋈↑↓↕«»⌽⍉/⍋⍒⊏⊑⊐⊒∊⍷⊔!𝕎𝕏𝔽𝔾𝕊";
constexpr std::u32string_view modifiers1 = U"˙˜˘¨⌜⁼´˝`";
constexpr std::u32string_view modifiers2 = U"∘○⊸⟜⌾⊘◶⎉⚇⍟⎊";
constexpr std::u32string_view specials = U"𝕨𝕩𝕗𝕘𝕤𝕣·";
constexpr std::u32string_view punctuation = U"←⇐↩(){}⟨⟩[]‿⋄,.;:?";

bool is_digit(char32_t c) { return (c >= U'0' && c <= U'9') || c == U'¯' || c == U'π' || c == U'∞'; }

// The role of a name shows in its first letter and its underscores.
Colour colour_of_word(std::u32string_view word) {
  if (is_digit(word[0])) return Colour::number;
  if (word[0] == U'•') word.remove_prefix(1);
  if (word.empty()) return Colour::plain;
  if (word[0] == U'_') return word.size() > 1 && word.back() == U'_' ? Colour::modifier2 : Colour::modifier1;
  return word[0] >= U'A' && word[0] <= U'Z' ? Colour::function : Colour::plain;
}

Colour colour_of_glyph(char32_t c) {
  if (c <= U' ') return Colour::plain;
  const auto in = [c](std::u32string_view set) { return set.find(c) != set.npos; };
  if (in(functions)) return Colour::function;
  if (in(modifiers1)) return Colour::modifier1;
  if (in(modifiers2)) return Colour::modifier2;
  if (in(specials)) return Colour::special;
  return in(punctuation) ? Colour::punctuation : Colour::plain;
}

// Tells whether a word goes on at a place; `is_number` tells whether it is one, which may have a point.
bool word_goes_on(std::u32string_view source, std::size_t i, bool is_number) {
  return is_word(source[i]) || (is_number && source[i] == U'.' && i + 1 < source.size() && is_digit(source[i + 1]));
}

std::size_t end_behind(std::u32string_view source, std::size_t place, char32_t last) {
  const std::size_t close = source.find(last, place);
  return close == source.npos ? source.size() : close + 1;
}

}  // namespace

Token token_at(std::u32string_view source, std::size_t place) {
  const char32_t c = source[place];
  if (c == U'#') return {std::min(source.find(U'\n', place), source.size()), Colour::comment};
  if (c == U'"') return {end_behind(source, place + 1, U'"'), Colour::text};
  if (c == U'\'' && place + 2 < source.size() && source[place + 2] == U'\'') return {place + 3, Colour::text};
  if (c == U'@') return {place + 1, Colour::text};
  if (!is_word(c)) return {place + 1, colour_of_glyph(c)};
  std::size_t end = place + 1;
  while (end < source.size() && word_goes_on(source, end, is_digit(c))) end++;
  return {end, colour_of_word(source.substr(place, end - place))};
}

Token rest_of_token(std::u32string_view source, std::size_t place, Colour colour) {
  if (colour == Colour::comment) return {std::min(source.find(U'\n', place), source.size()), colour};
  if (colour == Colour::text) return {end_behind(source, place, U'"'), colour};
  std::size_t end = place;
  while (end < source.size() && word_goes_on(source, end, colour == Colour::number)) end++;
  return {end, colour};
}

std::vector<Colour> colours_of(std::u32string_view source) {
  std::vector<Colour> colours;
  while (colours.size() < source.size()) {
    const Token token = token_at(source, colours.size());
    colours.resize(token.end, token.colour);
  }
  return colours;
}

std::string_view switch_to(Colour colour) {
  switch (colour) {
    case Colour::number: return "\x1b[35m";
    case Colour::text: return "\x1b[36m";
    case Colour::comment: return "\x1b[90m";
    case Colour::function: return "\x1b[32m";
    case Colour::modifier1: return "\x1b[31m";
    case Colour::modifier2: return "\x1b[33m";
    case Colour::special: return "\x1b[34m";
    case Colour::punctuation: return "\x1b[90m";
    default: return "\x1b[0m";
  }
}

}  // namespace griddle::repl
