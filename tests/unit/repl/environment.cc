#include "repl/environment.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace griddle;

TEST_CASE("the environment says what the executable wants of a device and of fast paths") {
  // Sets a variable while it lives; nothing unsets it.
  struct Setting {
    Setting(const char* name, const char* value) : name(name) {
      const char* before = std::getenv(name);
      was_set = before != nullptr;
      if (was_set) old = before;
      value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    ~Setting() { was_set ? setenv(name, old.c_str(), 1) : unsetenv(name); }
    const char* name;
    bool was_set;
    std::string old;
  };
  const auto taken = [] {
    Options options;
    repl::take_environment(options);
    return options;
  };
  const Setting ways("GRIDDLE_WAYS", nullptr), from("GRIDDLE_OFFLOAD_FROM", nullptr),
      plugin("GRIDDLE_CUDA_PLUGIN", "/a/plugin.so"), cache("XDG_CACHE_HOME", "/cache"), target("GRIDDLE_TARGET", nullptr);
  {
    const Setting device("GRIDDLE_DEVICE", nullptr);
    const Options options = taken();
    CHECK(options.device == DeviceUse::automatic);
    CHECK(options.device_plugin == "/a/plugin.so");
    CHECK(options.device_cache == "/cache/griddle/device-costs");
    CHECK(options.device_from == 0);
    CHECK(!options.general_ways);
    Options safe;
    safe.safe = true;
    repl::take_environment(safe);
    CHECK(safe.device_plugin.empty());
    CHECK(safe.device_cache.empty());
    const Setting relative("GRIDDLE_CUDA_PLUGIN", "plugin.so");
    CHECK(taken().device_plugin.empty());
  }
  const Setting device("GRIDDLE_DEVICE", "cuda"), from_first("GRIDDLE_OFFLOAD_FROM", "0"), general("GRIDDLE_WAYS", "general"),
      no_cache("XDG_CACHE_HOME", ""), home("HOME", "/home/someone");
  const Options options = taken();
  CHECK(options.device == DeviceUse::always);
  CHECK(options.device_from == 1);
  {
    const Setting only("GRIDDLE_DEVICE", "cuda!");
    CHECK(taken().device == DeviceUse::only);
  }
  CHECK(options.general_ways);
  CHECK(options.device_cache == "/home/someone/.cache/griddle/device-costs");
  CHECK(repl::take_target().empty());
  const Setting unknown("GRIDDLE_TARGET", "no such set");
  CHECK(repl::take_target().starts_with("GRIDDLE_TARGET names no instruction set"));
}
