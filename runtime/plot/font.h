// Letters for pictures of pixels.
#pragma once

#include <cstdint>

namespace griddle::plot {

inline constexpr int font_width = 5, font_height = 9;
// Gives the rows of a character, from the top; ASCII has pictures, and `¯`.
const std::uint8_t* glyph_rows(char32_t);

}  // namespace griddle::plot
