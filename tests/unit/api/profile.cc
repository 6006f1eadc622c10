#include "runtime/api/profile.h"

#include <doctest/doctest.h>

#include <string>

#include "runtime/api/griddle.hpp"

using griddle::Interpreter;

TEST_CASE("a sample is of the thread that evaluates, and of the lines that run then") {
  Interpreter bqn;
  CHECK(bqn.end_profile(0.001).empty());
  REQUIRE(bqn.start_profile());
  // A function of the host is no place in a program: it says which ones call it.
  const griddle::Any sample = bqn.function("Sample", [&](double x) {
    bqn.sample();
    return x;
  });
  REQUIRE(bqn.define("Sample", sample));
  REQUIRE(bqn.eval_in_session("Sample 1"));
  bqn.sample();
  CHECK(bqn.end_profile(0.5).find("0 s of processor time, 0 samples") == 0);
  // The interpreter itself may be asked from within.
  griddle::Profile profile;
  CHECK(profile.report(1).find("0 samples") != std::string::npos);
}
