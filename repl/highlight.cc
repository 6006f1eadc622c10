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
  const auto in = [c](std::u32string_view set) { return set.find(c) != set.npos; };
  if (in(functions)) return Colour::function;
  if (in(modifiers1)) return Colour::modifier1;
  if (in(modifiers2)) return Colour::modifier2;
  if (in(specials)) return Colour::special;
  return in(punctuation) ? Colour::punctuation : Colour::plain;
}

}  // namespace

std::vector<Colour> colours_of(std::u32string_view source) {
  std::vector<Colour> colours(source.size(), Colour::plain);
  for (std::size_t i = 0, end; i < source.size(); i = end) {
    const char32_t c = source[i];
    end = i + 1;
    Colour colour = Colour::plain;
    if (c == U'#') {
      end = std::min(source.find(U'\n', i), source.size());
      colour = Colour::comment;
    } else if (c == U'"') {
      const std::size_t close = source.find(U'"', i + 1);
      end = close == source.npos ? source.size() : close + 1;
      colour = Colour::text;
    } else if (c == U'\'' && i + 2 < source.size() && source[i + 2] == U'\'') {
      end = i + 3;
      colour = Colour::text;
    } else if (c == U'@') {
      colour = Colour::text;
    } else if (is_word(c)) {
      while (end < source.size() && (is_word(source[end]) || (source[end] == U'.' && is_digit(c) && end + 1 < source.size() &&
                                                              is_digit(source[end + 1]))))
        end++;
      colour = colour_of_word(source.substr(i, end - i));
    } else {
      colour = colour_of_glyph(c);
    }
    std::fill(colours.begin() + static_cast<std::ptrdiff_t>(i), colours.begin() + static_cast<std::ptrdiff_t>(end), colour);
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
