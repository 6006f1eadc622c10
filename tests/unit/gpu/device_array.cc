#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("elements stay a chain until somebody reads them") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ 1+2×x-3", "x←1009|7919×↕500 ⋄ y←1+x ⋄ (y×2)∾y-1",
                              "x←1009|7919×↕500 ⋄ (x>500)∧x<700", "x←1009|7919×↕500 ⋄ +´(2×x)-1"})
    device.agree_there(program);
}
