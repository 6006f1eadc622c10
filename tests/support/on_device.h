// Programs whose arrays go to a device, which is the host (tests/gpu/host_plugin.cc), and those that stay.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
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

// Sets a variable of the environment while an interpreter is made, which is when it is read.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    const char* before = std::getenv(name);
    was_set_ = before != nullptr;
    if (was_set_) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_;
};

class OnDevice {
 public:
  OnDevice() : device_(made("cuda")), usual_(made("cpu")) {}

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
  static Host made(const char* device) {
    const Setting where("GRIDDLE_DEVICE", device), from("GRIDDLE_OFFLOAD_FROM", "0"),
        plugin("GRIDDLE_CUDA_PLUGIN", host_plugin());
    return Host();
  }
  Host device_, usual_;
};

}  // namespace griddle::testing
