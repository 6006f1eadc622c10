#include "gpu/loader.h"

#include <doctest/doctest.h>

#include <string>

#include "gpu/settings.h"
#include "tests/support/on_device.h"

using namespace griddle;

TEST_CASE("a plug-in is opened once it is found, and none is no error") {
  const std::shared_ptr<OpenDevice> device = open_device(testing::host_plugin());
  REQUIRE(device != nullptr);
  CHECK(device->plugin != nullptr);
  CHECK(std::string(device->info.name) == "The host");
  CHECK(open_device("/no/such/plugin.so") == nullptr);
  CHECK(open_device("/proc/self/exe") == nullptr);
  CHECK(plugin_path(testing::host_plugin()) == testing::host_plugin());
  CHECK(plugin_path("/no/such/plugin.so").empty());
  CHECK(device_name(testing::host_plugin()) == "The host");
  CHECK(device_name("/no/such/plugin.so").empty());
}
