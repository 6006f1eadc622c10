#include "runtime/api/griddle.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/api/griddle_c.h"

TEST_CASE("a host learns what the library was built from and what it runs on") {
  const griddle::BuildInfo build = griddle::build_info();
  CHECK(build.version == griddle_version());
  CHECK(build.version == griddle::version());
  CHECK(griddle_commit() == build.commit + (build.modified ? "-modified" : ""));
  CHECK((build.commit == "unknown" || build.commit.size() == 12));
  CHECK(std::ranges::count(build.instruction_sets, build.instruction_set) == 1);
}
