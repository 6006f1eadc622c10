// The library itself: its version, the instruction sets of its kernels, and the device that there may be.
#include <algorithm>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "gpu/settings.h"
#include "primitives/kernels/shared/processor.h"
#include "runtime/api/commit/commit.h"
#include "runtime/api/interpreter_state.h"

using namespace griddle;

namespace {

// Text of the library's own, which takes no memory that might not be there.
class FixedText {
 public:
  FixedText& operator+=(std::string_view more) {
    const std::size_t bytes = std::min(more.size(), sizeof text_ - 1 - length_);
    std::copy_n(more.data(), bytes, text_ + length_);
    length_ += bytes;
    return *this;
  }
  const char* c_str() const { return text_; }

 private:
  char text_[512] = {};
  std::size_t length_ = 0;
};

const char* names_of_sets() {
  static const FixedText names = [] {
    const kernels::InstructionSets sets = kernels::instruction_sets();
    FixedText text;
    for (std::size_t i = 0; i < sets.count; i++) (text += i == 0 ? "" : " ") += sets.compiled[i];
    return text;
  }();
  return names.c_str();
}

}  // namespace

uint32_t griddle_abi() { return GRIDDLE_ABI; }
const char* griddle_version() { return GRIDDLE_VERSION; }
const char* griddle_commit() { return built_from; }
const char* griddle_instruction_sets() { return names_of_sets(); }
const char* griddle_instruction_set() { return kernels::instruction_sets().chosen; }
int griddle_limit_instruction_set(const char* name) { return name != nullptr && kernels::limit_instruction_set(name); }

const char* griddle_processor_problem() {
  static const FixedText problem = [] {
    const kernels::InstructionSets sets = kernels::instruction_sets();
    FixedText text;
    if (sets.is_runnable) return text;
    if (sets.count > 1) return text += "This needs a processor with SSE4.2, PCLMUL and AES, such as are made since 2010";
    ((text += "This was built for processors with ") += names_of_sets()) +=
        ", which this one lacks; build it again, for this one or for all";
    return text;
  }();
  return problem.c_str();
}

void griddle_find_device(const griddle_options* given, griddle_found_device* device) {
  griddle_options options = griddle_default_options();
  take_struct(options, given);
  static std::string plugin, name;
#ifndef __EMSCRIPTEN__  // which has one thread
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
#endif
  plugin.clear();
  name.clear();
  try {
    std::string path = plugin_path(options.device_plugin != nullptr ? options.device_plugin : "");
    if (options.device != griddle_device_none) name = device_name(path);
    plugin = options.device_plugin != nullptr ? std::move(path) : installed_plugin();
  } catch (const std::bad_alloc&) {
    name.clear();
  }
  const griddle_found_device found = {sizeof found, {plugin.data(), plugin.size()}, {name.data(), name.size()}};
  give_struct(found, device);
}
