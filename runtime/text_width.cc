#include "runtime/text_width.h"

#include <algorithm>
#include <iterator>

namespace griddle {

namespace {

struct CharacterRange {
  char32_t first, last;
};
#include "runtime/text_width_table.inc"

template <std::size_t size>
bool is_in(const CharacterRange (&ranges)[size], char32_t c) {
  const auto* after =
      std::upper_bound(std::begin(ranges), std::end(ranges), c, [](char32_t c, CharacterRange r) { return c < r.first; });
  return after != std::begin(ranges) && c <= after[-1].last;
}

constexpr char32_t joiner = 0x200D;
constexpr char32_t first_combining = 0x300, first_picture = 0x2190;
bool is_skin_tone(char32_t c) { return c >= 0x1F3FB && c <= 0x1F3FF; }

}  // namespace

unsigned columns_of(char32_t c) {
  if (c < first_combining) return 1;
  return is_in(wide, c) ? 2 : is_in(standing_upon, c) ? 0 : 1;
}

unsigned TextColumns::add(char32_t c) {
  if (c < first_combining) {
    after_wide_ = joined_ = false;
    return 1;
  }
  if (c == joiner) {
    joined_ = after_wide_;
    return 0;
  }
  const unsigned columns = columns_of(c);
  if (columns == 0) return 0;
  if (joined_ ? c >= first_picture : after_wide_ && is_skin_tone(c)) {
    joined_ = false;
    return 0;
  }
  joined_ = false;
  after_wide_ = columns == 2;
  return columns;
}

std::size_t columns_of(std::string_view utf8) {
  TextColumns columns;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[i++]);
    const int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    char32_t c = more == 0 ? first : first & (0x3F >> more);
    for (int k = 0; k < more && i < utf8.size() && (static_cast<unsigned char>(utf8[i]) & 0xC0) == 0x80; k++)
      c = c << 6 | (static_cast<unsigned char>(utf8[i++]) & 0x3F);
    sum += columns.add(c);
  }
  return sum;
}

}  // namespace griddle
