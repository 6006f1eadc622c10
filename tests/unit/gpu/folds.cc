#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("folds and scans are computed on the device") {
  OnDevice device;
  for (const char* program :
       {"x←1009|7919×↕500 ⋄ +´x+1", "x←1009|7919×↕500 ⋄ ⌊´x-1", "x←1009|7919×↕500 ⋄ ⌈´2×x", "x←1009|7919×↕500 ⋄ +`x+1",
        "x←1009|7919×↕500 ⋄ ⌈`x-1", "x←1009|7919×↕500 ⋄ ∨´x>1000", "x←1009|7919×↕500 ⋄ ≠`2|x", "x←20‿25⥊1009|7919×↕500 ⋄ +˝x+1",
        "x←20‿25⥊1009|7919×↕500 ⋄ +´˘x+1", "x←20‿25⥊1009|7919×↕500 ⋄ ⌈`˘x+1", "x←20‿25⥊1009|7919×↕500 ⋄ ∧´∧˝x≥0",
        "x←20‿25⥊1009|7919×↕500 ⋄ ∨´1⌊⥊x", "x←20‿25⥊1009|7919×↕500 ⋄ ×´1⌊⥊x", "x←20‿25⥊1009|7919×↕500 ⋄ ≠´˘x>500"})
    device.agree_there(program);
}
