// What a value is, in a few words, for the menu of completions.
#pragma once

#include <string>
#include <string_view>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Says what kind of value this is, and of atoms and short texts which.
std::string note_of(const Any&);

// Says the same of a name by its spelling alone.
std::string note_of_name(std::u32string_view name);

// Spells the name of a field by the role of its value; those of the system as their values name themselves.
std::string spelling_of_field(const std::string& name, const Any& value);

}  // namespace griddle::repl
