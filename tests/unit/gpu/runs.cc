#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("runs of equal neighbours are found and summed on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ k←⌊(∧x)÷9 ⋄ l‿e←•gpu.Runs k ⋄ l∾e", "x←1009|7919×↕500 ⋄ k←⌊(∧x)÷9 ⋄ e‿s←k •gpu.SumRuns x ⋄ e∾s"})
    device.agree_there(program);
}
