#include "repl/commands/device_rows.h"

#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using namespace griddle;
using namespace griddle::repl;

TEST_CASE("rows show what ran on a device and what came back, with lines and reasons") {
  Options options;
  options.device = DeviceUse::always;
  options.device_from = 1;
  options.device_plugin = testing::host_plugin();
  Interpreter bqn(options);
  begin_device_rows(bqn);
  REQUIRE(bqn.eval("x←•gpu.Put ⌽3‿1‿4\ny←+´1+x\n{𝕨-2×𝕩}´x\n•Fmt 2+x", "part"));
  const std::string text = end_device_rows(bqn);
  for (const std::string part :
       {"        there              here         sent       back  function, line; why here\n", " 3 B             Reverse\n",
        "•gpu.Put, part:1  x←•gpu.Put ⌽3‿1‿4\n", " 3 B  Fold, part:3  {𝕨-2×𝕩}´x; host alone\n",
        " 6 B  reading, part:4  •Fmt 2+x\n", "Fold, part:2  y←+´1+x\n", " 9 B  all 7 rows\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(device_rows(bqn).empty());
}

TEST_CASE("there are no rows where there is no device") {
  Interpreter bqn;
  begin_device_rows(bqn);
  REQUIRE(bqn.eval("+´↕9"));
  CHECK(end_device_rows(bqn).empty());
}
