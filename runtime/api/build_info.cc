#include <string_view>

#include "gpu/loader.h"
#include "gpu/offload.h"
#include "primitives/kernels/shared/processor.h"
#include "runtime/api/commit.h"
#include "runtime/api/griddle.h"

namespace griddle {

const char* version() noexcept { return GRIDDLE_VERSION; }

BuildInfo build_info() {
  constexpr std::string_view mark = "-modified";
  BuildInfo info;
  info.version = version();
  info.commit = built_from;
  info.modified = info.commit.ends_with(mark);
  if (info.modified) info.commit.resize(info.commit.size() - mark.size());
  const kernels::InstructionSets sets = kernels::instruction_sets();
  info.instruction_sets.assign(sets.compiled.begin(), sets.compiled.begin() + sets.count);
  info.instruction_set = sets.chosen;
  return info;
}

std::string processor_problem() {
  const kernels::InstructionSets sets = kernels::instruction_sets();
  std::string names;
  for (std::size_t i = 0; i < sets.count; i++) names += (i == 0 ? "" : " ") + std::string(sets.compiled[i]);
  if (!sets.is_runnable && sets.count == 1)
    return "This was built for processors with " + names + ", which this one lacks; build it again, for this one or for all";
  if (!sets.is_runnable) return "This needs a processor with SSE4.2, PCLMUL and AES, such as are made since 2010";
  if (sets.is_choice_known) return "";
  return "GRIDDLE_TARGET names no instruction set that is compiled (" + names + ") and that this processor has";
}

DeviceInfo find_device() {
  DeviceInfo info;
  info.plugin = installed_plugin();
  if (info.plugin.empty()) return info;
  const OffloadSettings settings = offload_settings();
  if (!settings.wanted) {
    info.state = DeviceInfo::State::not_wanted;
  } else if (const std::shared_ptr<OpenDevice> device = open_device(settings.plugin)) {
    info.state = DeviceInfo::State::found;
    info.name = device->info.name;
  } else {
    info.state = DeviceInfo::State::none_found;
  }
  return info;
}

}  // namespace griddle
