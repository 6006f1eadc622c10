#include "runtime/api/griddle.hpp"

#include <doctest/doctest.h>

#include <algorithm>

TEST_CASE("a host learns what the library was built from and what it runs on") {
  const griddle::BuildInfo build = griddle::build_info();
  CHECK(build.version == griddle_version());
  CHECK(build.version == griddle::version());
  CHECK(griddle_commit() == build.commit + (build.modified ? "-modified" : ""));
  CHECK((build.commit == "unknown" || build.commit.size() == 12));
  CHECK(std::ranges::count(build.instruction_sets, build.instruction_set) == 1);
}

TEST_CASE("a newer or older host says how much of a struct it knows") {
  // One that knows the size and the capabilities alone.
  griddle_options options = griddle_default_options();
  options.size = offsetof(griddle_options, root);
  options.capabilities = 0;
  options.memory_limit = 1;
  griddle_interpreter* bqn = griddle_new(&options, nullptr);
  REQUIRE(bqn != nullptr);
  griddle_value sum = griddle_eval(bqn, griddle_string("+´↕10"), griddle_string(""), nullptr);
  CHECK(griddle_number_of(sum) == 45);
  griddle_release(sum);
  griddle_failure* why = nullptr;
  CHECK(griddle_eval(bqn, griddle_string("•FChars \"x\""), griddle_string(""), &why).interpreter == nullptr);
  REQUIRE(why != nullptr);
  griddle_release_failure(why);
  griddle_delete(bqn);
  CHECK(griddle_abi() == GRIDDLE_ABI);
  CHECK(std::string(griddle_processor_problem()).empty());
  CHECK(griddle_limit_instruction_set("no such set") == 0);
}
