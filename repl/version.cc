#include "repl/version.h"

#include "repl/environment.h"

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

std::string greeting_text(const BuildInfo& build, const DeviceInfo& device) {
  const bool has_plugin = device.state != DeviceInfo::State::no_plugin;
  return "Griddle " + build.version + " · " + build.instruction_set + (has_plugin ? " · GPU plug-in" : " · no GPU plug-in") +
         " · )help and )help NAME tell more\n";
}

std::string greeting() {
  Options options;
  take_environment(options);
  options.device = DeviceUse::none;
  return greeting_text(build_info(), find_device(options));
}

}  // namespace griddle::repl
