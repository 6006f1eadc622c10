// What a host wants of a device, and the device that an interpreter gets.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "runtime/value/remote.h"

namespace griddle {

// What the host wants of a device.
struct OffloadSettings {
  bool forced = false;              // compute on the device whatever it can compute
  std::optional<std::size_t> from;  // how many elements are worth moving, whatever the costs
  std::string plugin;               // path of the plug-in; empty: no device
  std::string cost_file;            // remembers what devices cost; empty: none
};

// Gives the device for an interpreter, or null where there is none to be had. The plug-in is loaded when a first array asks.
std::unique_ptr<Device> make_device(Context&, OffloadSettings);

// Tells where the plug-in is: a place beside the library or executable that holds this code. Empty where there is no such file.
// Cheap: opens nothing.
std::string installed_plugin();
// The same for programs: the one that is given, if it can be read; or the installed one, where a driver shows itself.
std::string plugin_path(const std::string& given);
// Opens the device and gives its name; empty where there is none.
std::string device_name(const std::string& plugin);

}  // namespace griddle
