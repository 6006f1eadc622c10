#include "repl/environment.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace griddle::repl {

namespace {

// Where the executable has more rights than who runs it, there is no environment.
std::string_view variable(const char* name) {
  const char* text = secure_getenv(name);
  return text != nullptr ? text : "";
}

}  // namespace

std::string user_file(const char* variable_name, const char* below_home, const char* name) {
  if (const std::string_view folder = variable(variable_name); !folder.empty()) return std::string(folder) + "/griddle/" + name;
  const std::string_view home = variable("HOME");
  return home.empty() ? "" : std::string(home) + "/" + below_home + "/griddle/" + name;
}

void take_environment(Options& options) {
  const std::string_view device = variable("GRIDDLE_DEVICE"), ways = variable("GRIDDLE_WAYS");
  options.device = device == "cpu"     ? DeviceUse::none
                   : device == "cuda"  ? DeviceUse::always
                   : device == "cuda!" ? DeviceUse::only
                                       : DeviceUse::automatic;
  if (!options.safe && options.capabilities == griddle_may_do_all) {
    const std::string_view plugin = variable("GRIDDLE_CUDA_PLUGIN");
    // What is relative depends on where the executable runs, and that is others' to say.
    if (plugin.empty() || plugin.front() == '/') options.device_plugin = plugin;
    options.device_cache = user_file("XDG_CACHE_HOME", ".cache", "device-costs");
  }
  // All of it from 0 elements on is all of it from the first one on.
  if (const std::string from(variable("GRIDDLE_OFFLOAD_FROM")); !from.empty())
    options.device_from = std::max<std::size_t>(1, std::strtoull(from.c_str(), nullptr, 10));
  options.general_ways = ways == "general";
  options.checked_ways = ways == "checked";
  options.machine_code = ways == "native" ? MachineCode::always : ways == "interpreted" ? MachineCode::never : MachineCode::often;
}

std::string take_target() {
  const std::string wanted(variable("GRIDDLE_TARGET"));
  if (wanted.empty() || griddle_limit_instruction_set(wanted.c_str()) != 0) return "";
  return "GRIDDLE_TARGET names no instruction set that is compiled (" + std::string(griddle_instruction_sets()) +
         ") and that this processor has";
}

}  // namespace griddle::repl
