// How far a system value reaches out of the program.
#pragma once

#include <cstdint>

namespace griddle {

// Not at all; to the host's console and the end of the program; and to what the host may permit or not (`griddle_capability`, in
// the same order): files to read and to write, other programs, foreign code, the working directory and paths, and the clock.
enum class Reach : std::uint8_t {
  none,
  console,
  read_files,
  write_files,
  run_programs,
  call_foreign,
  see_environment,
  read_clock
};

// Tells whether a set of capabilities, a bit each, has what something reaches.
constexpr bool is_permitted(std::uint32_t capabilities, Reach reach) {
  return reach <= Reach::console || (capabilities >> (static_cast<int>(reach) - static_cast<int>(Reach::read_files)) & 1) != 0;
}

}  // namespace griddle
