// What bqn --version prints.
#pragma once

#include <string>

#include "runtime/api/griddle.hpp"

namespace griddle::repl {

std::string version_text(const BuildInfo&, const DeviceInfo&);

}  // namespace griddle::repl
