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
  griddle::Context cx;
  griddle::make_primitives(cx);
  CHECK(griddle::Profile(cx).report(1).find("0 samples") != std::string::npos);
}

TEST_CASE("calls of primitives are counted with the bytes that they read and write") {
  Interpreter bqn;
  const griddle::Any sample = bqn.function("Sample", [&](const griddle::Any& x) {
    bqn.sample();
    return x;
  });
  REQUIRE(bqn.define("Sample", sample));
  REQUIRE(bqn.start_profile());
  REQUIRE(bqn.eval_in_session("a←1e6⥊0.5 ⋄ b←a+a ⋄ c←b+a ⋄ Sample 0"));
  const std::string report = bqn.end_profile(0.001);
  CAPTURE(report);
  CHECK(report.find("3 calls of primitives on arrays: 32.0 MB read, 24.0 MB written\n") != std::string::npos);
  // Folds with kernels of their own, and expressions that are computed block by block.
  REQUIRE(bqn.start_profile());
  REQUIRE(bqn.eval_in_session("s←+´a"));
  CHECK(bqn.end_profile(0.001).find("1 calls of primitives on arrays: 8.0 MB read, 8 B written\n") != std::string::npos);
  REQUIRE(bqn.start_profile());
  REQUIRE(bqn.eval_in_session("d←{1+𝕩×2+𝕩×3+𝕩}a"));
  CHECK(bqn.end_profile(0.001).find("1 calls of primitives on arrays: 8.0 MB read, 8.0 MB written\n") != std::string::npos);
  // Nobody counts any more, and what was compiled meanwhile runs on.
  REQUIRE(bqn.start_profile());
  REQUIRE(bqn.eval_in_session("F←{⌽𝕩}"));
  CHECK(bqn.end_profile(0.001).find("0 samples") != std::string::npos);
  CHECK(bqn.eval_in_session("F ↕3")->numbers() == std::vector<double>{2, 1, 0});
}

TEST_CASE("a profile and an explanation end in any order, but not within a call that they look at") {
  Interpreter bqn;
  std::string report;
  const griddle::Any end = bqn.function("End", [&](double x) {
    report = bqn.end_profile(0.001);
    return x;
  });
  REQUIRE(bqn.define("End", end));
  REQUIRE(bqn.start_profile());
  std::string text;
  REQUIRE(bqn.explain("End 5", text));
  CHECK(report.find("0 samples") != std::string::npos);
  CHECK(bqn.eval_in_session("⌽↕3")->numbers() == std::vector<double>{2, 1, 0});
  REQUIRE(bqn.start_profile());
  REQUIRE(bqn.eval_in_session("a←+´{End 𝕩}⌜↕3 ⋄ {End 𝕩}⌾⊑ 1‿2"));
  CHECK(bqn.eval_in_session("⌽a‿2")->numbers() == std::vector<double>{2, 3});
  bqn.end_profile(0.001);
  CHECK(bqn.end_profile(0.001).empty());
}
