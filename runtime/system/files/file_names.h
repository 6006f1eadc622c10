// Paths as system functions take them: relative to the directory of the source that names them.
#pragma once

#include <string>

#include "runtime/bytecode/unit.h"
#include "runtime/system/argument.h"

namespace griddle {

// Gives the unit that a function belongs to (see SystemEntry::in_unit).
Unit& unit_of(const Function& self);
// Gives the directory of a unit that has a path. Fails where a program gave a path that is not there.
std::string directory_of(Context&, const Unit&);
// Gives the path that a string names, absolute and within what programs may reach; `shown_path` where the host may make up what
// is there, the other for the machine's files, which such a host has none of.
std::string shown_path(Context&, const Function& self, const Value&, const char* which = "𝕩");
std::string path_argument(Context&, const Function& self, const Value&, const char* which = "𝕩");
std::string joined_path(const std::string& directory, const std::string& path);

// Gives the absolute path without symbolic links, or an empty text where there is no such file; errno then says why.
std::string real_path(const std::string& path);
std::string current_directory();
// Gives the folder that text without a place of its own counts as lying in: the working directory, or the root of what programs
// reach.
std::string starting_directory(Context&);

// Fails with "•Name: what (path: why)", where errno says why.
[[noreturn]] void fail_system(Context&, const Function& self, const char* what, const std::string& path);

}  // namespace griddle
