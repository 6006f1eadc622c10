// Names of a program: which of them are one, and what role their spelling gives them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace griddle {

enum class Role : std::uint8_t { subject, function, modifier1, modifier2 };

// Gives a name as it is compared: ASCII and Latin-1 letters to lower case, underscores dropped.
std::string normalised_name(std::string_view);

// Gives the role that a name, which is not empty and without •, has by its spelling.
Role role_of_word(std::string_view);

// Spells a name, with • or without, so that it has a role; empty where it has nothing but underscores.
std::string spelled(std::string_view name, Role);

}  // namespace griddle
