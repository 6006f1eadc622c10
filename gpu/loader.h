// Finds the plug-in for a device and opens the device. Absence of either is no error: it gives null.
#pragma once

#include <memory>
#include <string>

#include "gpu/plugin_abi.h"

namespace griddle {

// An open device, shared by all arrays that have memory on it.
struct OpenDevice {
  const griddle_plugin* plugin = nullptr;
  griddle_device* device = nullptr;
  griddle_device_info info{};
  double open_seconds = 0;  // how long opening took
  // What has been done, for •gpu.Info and for tests.
  std::uint64_t kernels = 0, waits = 0, uploaded = 0, downloaded = 0;

  OpenDevice() = default;
  OpenDevice(const OpenDevice&) = delete;
  OpenDevice& operator=(const OpenDevice&) = delete;
  ~OpenDevice();
};

// Loads the plug-in and opens the first device; null where there is no driver, no device, or a plug-in of another version.
std::shared_ptr<OpenDevice> open_device(const std::string& path);

}  // namespace griddle
