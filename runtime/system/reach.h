// How far a system value reaches out of the program.
#pragma once

#include <cstdint>

namespace griddle {

// Not at all; to the host's console and the end of the program; to files, other processes, foreign code and the environment.
enum class Reach : std::uint8_t { none, console, outside };

}  // namespace griddle
