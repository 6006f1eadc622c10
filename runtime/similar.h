// Which names a person may have meant who wrote another one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace griddle {

// Gives a name as it is compared: lower case, without underscores, dots and •. Other characters stay.
std::string compared_name(std::string_view);

// Counts the letters to change, add, leave out, or exchange with the next one, until one text is the other. Letters are bytes.
std::size_t edit_distance(std::string_view, std::string_view);

// Gives the known names that are nearest to this one, at most `most`, the nearest first and each once. A name whose letters
// differ too much, or much more than those of the nearest one, is none of them; of one with less than three letters, all letters
// must be the same.
std::vector<std::string> similar_names(std::string_view name, std::span<const std::string_view> known, std::size_t most);

}  // namespace griddle
