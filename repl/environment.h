// What the executable takes from its environment. The library itself reads none of it.
#pragma once

#include <string>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Enters what GRIDDLE_DEVICE, GRIDDLE_OFFLOAD_FROM, GRIDDLE_CUDA_PLUGIN, XDG_CACHE_HOME and GRIDDLE_WAYS say. Where programs may
// not do all, no code is loaded, and no file written, because of a variable.
void take_environment(Options&);

// Gives the path of a file of Griddle's in the folder that a variable such as XDG_CACHE_HOME names, or below the home folder;
// empty where there is neither.
std::string user_file(const char* variable, const char* below_home, const char* name);

// Limits the instruction sets to GRIDDLE_TARGET. Gives a message where it names none that can be used.
std::string take_target();

}  // namespace griddle::repl
