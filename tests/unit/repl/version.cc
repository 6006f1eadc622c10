#include "repl/version.h"

#include <doctest/doctest.h>

#include <string>

using griddle::repl::version_text;

TEST_CASE("the version names commit, instruction sets and device") {
  griddle::BuildInfo build{"1.2.3", "0123456789ab", false, {"SSE4", "AVX2"}, "AVX2"};
  griddle::DeviceInfo device;
  CHECK(version_text(build, device) ==
        "bqn 1.2.3 (Griddle), commit 0123456789ab\ninstruction sets: SSE4 AVX2; this processor runs AVX2\n"
        "device: plug-in not installed\n");
  build.modified = true;
  device = {griddle::DeviceInfo::State::found, "/usr/lib/griddle/libgriddle_cuda.so", "NVIDIA H200"};
  const std::string text = version_text(build, device);
  CHECK(text.starts_with("bqn 1.2.3 (Griddle), commit 0123456789ab, modified\n"));
  CHECK(text.ends_with("\ndevice: NVIDIA H200 through libgriddle_cuda.so\n"));
  device.state = griddle::DeviceInfo::State::none_found;
  CHECK(greeting_text(build, device) == "Griddle 1.2.3 · AVX2 · GPU plug-in · )help and )help NAME tell more\n");
  CHECK(greeting_text(build, {}).find(" · no GPU plug-in · ") != std::string::npos);
  // One row of a terminal; no prompt is among it.
  CHECK(griddle::repl::greeting().find("\n") == griddle::repl::greeting().size() - 1);
  CHECK(griddle::repl::greeting().find("   ") == std::string::npos);
  CHECK(version_text(build, device).ends_with("\ndevice: none found\n"));
}
