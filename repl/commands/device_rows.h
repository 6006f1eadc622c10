// What ran on a device, and what came back from it, as commands show it.
#pragma once

#include <string>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

// Has the device be waited for after each call, so that times are what the work takes, and begins the record anew.
void begin_device_rows(Interpreter&);
// Ends that, and gives what device_rows gives.
std::string end_device_rows(Interpreter&);
// Gives a row for each function at each line that met the device, those that took longest first; empty where none did.
std::string device_rows(Interpreter&);

}  // namespace griddle::repl
