#include "gpu/loader.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/on_device.h"

using namespace griddle;

TEST_CASE("a plug-in is opened once it is found, and none is no error") {
  const std::shared_ptr<OpenDevice> device = open_device(testing::host_plugin());
  REQUIRE(device != nullptr);
  CHECK(device->plugin != nullptr);
  CHECK(std::string(device->info.name) == "The host");
  CHECK(open_device("/no/such/plugin.so") == nullptr);
  CHECK(open_device("/proc/self/exe") == nullptr);
  const testing::Setting given("GRIDDLE_CUDA_PLUGIN", testing::host_plugin());
  CHECK(installed_plugin() == testing::host_plugin());
  const testing::Setting missing("GRIDDLE_CUDA_PLUGIN", "/no/such/plugin.so");
  CHECK(installed_plugin().empty());
}
