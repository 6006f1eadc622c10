// How many columns text takes up on a terminal: by Unicode's tables, for what is laid out in rows and columns.
#pragma once

#include <cstddef>
#include <string_view>

namespace griddle {

// Gives the columns of a character by itself: 0 for what stands upon the one before it, 2 for wide ones, else 1.
unsigned columns_of(char32_t);

// Adds up the columns of characters that follow each other. Pictures that are joined into one, as by U+200D, count once.
class TextColumns {
 public:
  // Gives by how many columns the next character makes the text longer.
  unsigned add(char32_t);

 private:
  bool after_wide_ = false, joined_ = false;
};

// Gives the columns of a text in UTF-8. Bytes that are none count as the characters that they would begin.
std::size_t columns_of(std::string_view utf8);

}  // namespace griddle
