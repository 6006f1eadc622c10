// The value of a number as it is spelled in source.
#pragma once

#include <optional>
#include <string_view>

namespace griddle {

// Parses a whole literal, such as ¯1_000.5e¯2, π or ¯∞; nothing where it is malformed. Rounds to nearest, but for exponents above
// 22, where it may be off by two in the last place; what is too large is ∞, what is too small 0.
std::optional<double> parse_number(std::string_view);

}  // namespace griddle
