// Runs a test on every instruction set of this processor.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "hwy/targets.h"

namespace griddle::testing {

// Calls f() once for each target that this processor runs, the best first.
template <class F>
void on_every_target(F f) {
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    INFO("target ", std::string(hwy::TargetName(rest & -rest)));
    hwy::SetSupportedTargetsForTest(rest);
    f();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace griddle::testing
