#include "repl/version.h"

namespace griddle::repl {

namespace {

std::string device_text(const DeviceInfo& device) {
  // After the last slash, or all of it.
  const std::string file = device.plugin.substr(device.plugin.rfind('/') + 1);
  switch (device.state) {
    case DeviceInfo::State::no_plugin: return "plug-in not installed";
    case DeviceInfo::State::not_wanted: return "none wanted (GRIDDLE_DEVICE=cpu)";
    case DeviceInfo::State::none_found: return "none found";
    case DeviceInfo::State::found: return device.name + " through " + file;
  }
  return "";
}

}  // namespace

std::string version_text(const BuildInfo& build, const DeviceInfo& device) {
  std::string text = "bqn " + build.version + " (Griddle), commit " + build.commit + (build.modified ? ", modified\n" : "\n");
  text += "instruction sets:";
  for (const std::string& set : build.instruction_sets) text += " " + set;
  text += "; this processor runs " + build.instruction_set + "\n";
  return text + "device: " + device_text(device) + "\n";
}

}  // namespace griddle::repl
