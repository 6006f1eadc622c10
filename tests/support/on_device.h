// Programs whose arrays go to a device, which is the host (tests/gpu/host_plugin.cc), and those that stay.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "tests/support/host.h"

namespace griddle::testing {

// Gives the plug-in that is built beside the tests.
inline std::string host_plugin() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  REQUIRE(length > 0);
  const std::string program(path, static_cast<std::size_t>(length));
  const std::string folder = program.substr(0, program.rfind('/', program.rfind('/') - 1));
  return folder + "/gpu/host_plugin.so";
}

class OnDevice {
 public:
  explicit OnDevice(DeviceUse use = DeviceUse::always) : device_(made(use)), usual_(made(DeviceUse::none)) {}

  // Checks that a program gives the same on the device.
  void agree(const std::string& program) {
    CAPTURE(program);
    CHECK(device_(program) == usual_(program));
  }
  // The same, and that the device did something for it.
  void agree_there(const std::string& program) {
    const std::string before = kernels();
    agree(program);
    CAPTURE(program);
    CHECK(kernels() != before);
  }
  std::string operator()(const std::string& program) { return device_(program); }

 private:
  std::string kernels() { return device_("i←•gpu.Info@ ⋄ i.kernels"); }
  static Host made(DeviceUse device) {
    Options options;
    options.device = device;
    options.device_from = 1;
    options.device_plugin = host_plugin();
    return Host{Interpreter(options)};
  }
  Host device_, usual_;
};

}  // namespace griddle::testing
