// Numbers as BQN spells them: the shortest digits that read back as the same number.
#pragma once

#include <cstddef>

namespace griddle {

// Bounds the bytes that write_number writes.
inline constexpr std::size_t max_number_bytes = 32;

// Describes the spelling of one number. All characters but `¯` (two bytes) and `∞` (three bytes) are ASCII.
struct NumberText {
  char* end;          // one past the last byte
  unsigned width;     // characters in all
  unsigned lead;      // characters before the decimal point; all of them where there is none
  unsigned exponent;  // bytes of the exponent part with its `e`; 0 where there is none
};

// Writes a number at `out`: positional where 10⋆¯4 ≤ |x| < 10⋆15, else as d.ddde¯n.
NumberText write_number(char* out, double number);

}  // namespace griddle
