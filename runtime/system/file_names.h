// Paths as system functions take them: relative to the directory of the source that names them.
#pragma once

#include <string>

#include "runtime/bytecode/unit.h"
#include "runtime/system/argument.h"

namespace griddle {

// Gives the unit that a function belongs to (see SystemEntry::in_unit).
Unit& unit_of(const Function& self);
// Gives the path that a string names, absolute.
std::string path_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");
std::string joined_path(const std::string& directory, const std::string& path);

}  // namespace griddle
