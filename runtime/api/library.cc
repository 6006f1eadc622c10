// The library itself: its version, the instruction sets of its kernels, and the device that there may be.
#include <mutex>
#include <string>

#include "gpu/settings.h"
#include "primitives/kernels/shared/processor.h"
#include "runtime/api/commit.h"
#include "runtime/api/interpreter_state.h"

using namespace griddle;

namespace {

const std::string& names_of_sets() {
  static const std::string names = [] {
    const kernels::InstructionSets sets = kernels::instruction_sets();
    std::string text;
    for (std::size_t i = 0; i < sets.count; i++) text += (i == 0 ? "" : " ") + std::string(sets.compiled[i]);
    return text;
  }();
  return names;
}

}  // namespace

uint32_t griddle_abi() { return GRIDDLE_ABI; }
const char* griddle_version() { return GRIDDLE_VERSION; }
const char* griddle_commit() { return built_from; }
const char* griddle_instruction_sets() { return names_of_sets().c_str(); }
const char* griddle_instruction_set() { return kernels::instruction_sets().chosen; }
int griddle_limit_instruction_set(const char* name) { return name != nullptr && kernels::limit_instruction_set(name); }

const char* griddle_processor_problem() {
  static const std::string problem = [] {
    const kernels::InstructionSets sets = kernels::instruction_sets();
    if (sets.is_runnable) return std::string();
    if (sets.count > 1) return std::string("This needs a processor with SSE4.2, PCLMUL and AES, such as are made since 2010");
    return "This was built for processors with " + names_of_sets() +
           ", which this one lacks; build it again, for this one or for all";
  }();
  return problem.c_str();
}

void griddle_find_device(const griddle_options* given, griddle_found_device* device) {
  griddle_options options = griddle_default_options();
  take_struct(options, given);
  static std::mutex mutex;
  static std::string plugin, name;
  const std::lock_guard lock(mutex);
  plugin = options.device_plugin != nullptr ? plugin_path(options.device_plugin) : installed_plugin();
  name.clear();
  if (options.device != griddle_device_none) {
    const std::string path = plugin_path(options.device_plugin != nullptr ? options.device_plugin : "");
    name = device_name(path);
  }
  const griddle_found_device found = {sizeof found, {plugin.data(), plugin.size()}, {name.data(), name.size()}};
  give_struct(found, device);
}
