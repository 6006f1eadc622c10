// The line that shows how far a long loop is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace griddle {

// Gives a line of at most so many columns: a label, a bar, what is done of how much, and how long the rest will take, judged by
// the time that passed. Narrow terminals get the end of it alone.
std::string progress_line(std::string_view label, std::size_t done, std::size_t total, double seconds, std::size_t columns);

}  // namespace griddle
