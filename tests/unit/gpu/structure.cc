#include <doctest/doctest.h>

#include "tests/support/on_device.h"

using griddle::testing::OnDevice;

TEST_CASE("structural functions are done on the device") {
  OnDevice device;
  for (const char* program : {"x←1009|7919×↕500 ⋄ 1+⌽x", "x←1009|7919×↕500 ⋄ 1+5⌽x", "x←1009|7919×↕500 ⋄ 1+9↑x",
                              "x←1009|7919×↕500 ⋄ 1+9↓x", "x←1009|7919×↕500 ⋄ 1+x∾x", "x←1009|7919×↕500 ⋄ 1+20‿25⥊x",
                              "x←1009|7919×↕500 ⋄ 1+(x>500)/x", "x←1009|7919×↕500 ⋄ /x>500", "x←20‿25⥊1009|7919×↕500 ⋄ 1+⍉x"})
    device.agree_there(program);
}
