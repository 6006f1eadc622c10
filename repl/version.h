// What bqn --version prints.
#pragma once

#include <string>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

std::string version_text(const BuildInfo&, const DeviceInfo&);

// What a session says first, in one line. Looks for no device, which may take long, but for the plug-in.
std::string greeting_text(const BuildInfo&, const DeviceInfo&);
std::string greeting();

}  // namespace griddle::repl
