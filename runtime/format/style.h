// How people want numbers and columns to look: digits, widths, separators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/format/number.h"

namespace griddle {

enum class TextAlign : std::uint8_t { usual, left, right, center };

// Of all values, or of those in one column.
struct TextStyle {
  static constexpr int most_precision = 17, most_decimals = 20;
  static constexpr std::size_t most_width = 10'000;
  static constexpr char32_t usual_minus = U'¯';

  int precision = 0;       // most digits from the first that is not 0 on; digits before the point all stay. 0: as many as needed
  int decimals = -1;       // digits after the point, exactly; -1: as many as needed
  char32_t thousands = 0;  // stands between groups of three digits before the point; 0: nothing does
  char32_t minus = usual_minus;
  std::size_t width = 0;  // characters that a number, character or string takes at least
  TextAlign align = TextAlign::usual;

  bool spells_numbers_as_usual() const { return precision == 0 && decimals < 0 && thousands == 0 && minus == usual_minus; }
};

// The style of everything, and instead of it those of the columns of the outermost array, where there are any.
struct TextStyles {
  TextStyle all = {};
  std::span<const TextStyle> columns = {};
  bool plain = false;  // no frame, brackets or quotes around the outermost array and text in it
};

// Bounds the bytes that write_number writes in any style.
inline constexpr std::size_t max_styled_bytes = 96;
NumberText write_number(char* out, double number, const TextStyle&);

}  // namespace griddle
