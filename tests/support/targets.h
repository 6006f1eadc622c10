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
  const std::int64_t all =
      hwy::SupportedTargets() & (HWY_AVX3_DL | HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON | HWY_EMU128 | HWY_SCALAR);
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
    INFO("target ", std::string(hwy::TargetName(rest & -rest)));
    hwy::SetSupportedTargetsForTest(rest);
    f();
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace griddle::testing
