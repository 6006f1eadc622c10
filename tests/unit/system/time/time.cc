#include <doctest/doctest.h>

#include <string>

#include "tests/support/host.h"

using griddle::testing::Host;

TEST_CASE("time goes forward, and limits must be numbers") {
  Host run;
  CHECK(run("t←•MonoTime@ ⋄ t≤•MonoTime@") == "1");
  CHECK(run("0≤{𝕩+1}•_timed 1") == "1");
  CHECK(run("1e9<•UnixTime@") == "1");
  CHECK(run("{𝕩+1}•_maxTime_\"a\" 1").find("!") != std::string::npos);
  CHECK(run("{𝕩+1}•_maxTime_(5)1") == "2");
}

TEST_CASE("an interrupt is not taken for the end of a call's time") {
  Host run;
  const std::string limited = "{𝕊:{𝕊:0}•_while_{𝕊:1}0}•_maxTime_(0.01)0";
  CHECK(run("{𝕊:" + limited + "}⎊{𝕊:\"up\"}@") == "\"up\"");
  // Within another limit, which is up as well.
  CHECK(run("{𝕊:{𝕊:{𝕊:" + limited + "}⎊0 @⋄{𝕊:0}•_while_{𝕊:1}0}•_maxTime_(0.01)0}⎊{𝕊:\"both\"}@") == "\"both\"");
  run.bqn.interrupt();
  CHECK(run("{𝕊:" + limited + "}⎊{𝕊:\"up\"}@") == "! Interrupted");
}
