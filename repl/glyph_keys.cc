#include "repl/glyph_keys.h"

#include <string_view>

#include "repl/text.h"

namespace griddle::repl {

namespace {

// The keys of each row, without and with shift, and what they type; a blank where that is nothing.
struct Row {
  std::u32string_view keys, glyphs, shifted_keys, shifted_glyphs;
};
constexpr Row rows[] = {
    {U"`1234567890-=", U"˜˘¨⁼⌜´˝ ∞¯•÷×", U"~!@#$%^&*()_+", U"¬⎉⚇⍟◶⊘⎊  ⟨⟩√⋆"},
    {U"qwertyuiop[]", U"⌽𝕨∊↑∧ ⊔⊏⊐π←→", U"QWERTYUIOP{}", U"↙𝕎⍷𝕣⍋ ⊑⊒  ⊣⊢"},
    {U"asdfghjkl;'", U"⍉𝕤↕𝕗𝕘⊸∘○⟜⋄↩", U"ASDFGHJKL:\"", U"↖𝕊 𝔽𝔾« ⌾»·˙"},
    {U"zxcvbnm,./", U"⥊𝕩↓∨⌊ ≡∾≍≠", U"ZXCVBNM<>?", U"⋈𝕏 ⍒⌈ ≢≤≥⇐"},
    {U" ", U"‿", U"", U""},
};

constexpr bool rows_agree() {
  for (const Row& r : rows)
    if (r.keys.size() != r.glyphs.size() || r.shifted_keys.size() != r.shifted_glyphs.size()) return false;
  return true;
}
static_assert(rows_agree());

}  // namespace

char32_t glyph_of_key(char32_t key) {
  for (const Row& row : rows) {
    std::size_t i = row.keys.find(key);
    if (i != row.keys.npos) return row.glyphs[i] == U' ' ? 0 : row.glyphs[i];
    i = row.shifted_keys.find(key);
    if (i != row.shifted_keys.npos) return row.shifted_glyphs[i] == U' ' ? 0 : row.shifted_glyphs[i];
  }
  return 0;
}

char32_t key_of_glyph(char32_t glyph) {
  if (glyph == U' ') return 0;
  for (const Row& row : rows) {
    std::size_t i = row.glyphs.find(glyph);
    if (i != row.glyphs.npos) return row.keys[i];
    i = row.shifted_glyphs.find(glyph);
    if (i != row.shifted_glyphs.npos) return row.shifted_keys[i];
  }
  return 0;
}

std::string glyph_keyboard() {
  std::u32string text;
  std::u32string indent;
  const auto line = [&](std::u32string_view keys) {
    text += indent;
    for (char32_t c : keys) (text += c) += U"  ";
    text.erase(text.find_last_not_of(U' ') + 1);
    text += U'\n';
  };
  for (const Row& row : rows) {
    if (row.shifted_keys.empty()) continue;
    line(row.shifted_keys);
    line(row.shifted_glyphs);
    line(row.keys);
    line(row.glyphs);
    indent += U" ";
  }
  return utf8_of(text + U"space  ‿\n");
}

}  // namespace griddle::repl
